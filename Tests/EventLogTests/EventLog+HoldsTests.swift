import EventLog
import Simulation
import Storage
import Testing

/// Transactions from the future: held, listed, lifted when their time comes, or released by hand.
@Suite struct EventLogHoldsTests {
    private let clock = SimulatedClock()
    private let origin = ReplicaID(Digest128(high: 7, low: 7))

    /// Transactions of one origin, each so many milliseconds from `now`.
    private func batch(_ dataset: DatasetID, at times: [UInt64], from now: UInt64, nonce: String = "") -> Batch {
        let parts = times.enumerated().map { number, time in
            PartBytes(
                TestPart.bytes(
                    TransactionHeader(
                        origin: origin, sequence: UInt64(number) + 1, timestamp: Timestamp(milliseconds: now + time),
                        author: number == 0 ? "" : nonce)))
        }
        return Batch(
            origin: origin, firstSequence: 1, previousChain: Chain.start(dataset: dataset, origin: origin), transactions: parts)
    }

    private func applied(_ log: EventLog) -> UInt64? {
        log.durableState.branches.positions(applied: true).first { $0.name == origin }?.position.sequence
    }

    @discardableResult
    private func write(_ log: EventLog) throws -> TransactionHeader {
        let transaction = try log.begin()
        try transaction.add(part: TestPart.bytes(transaction.header))
        _ = try log.finish(transaction)
        try log.flush()
        return transaction.header
    }

    @Test func holdsLiftWithTheClockAndStayLiftedWhenItGoesBack() throws {
        let environment = Environment.simulated(seed: 1, clock: clock)
        var log = try EventLog.create(at: "/store", in: environment)
        let now = clock.now()
        let batch = batch(log.dataset, at: [1, 70_000, 70_001, 200_000, 300_000], from: now)
        #expect(try log.receive(batch).held == 4)
        try log.flush()
        #expect(applied(log) == 1)
        let held = HeldOrigin(origin: origin, sequences: 2...5, timestamp: Timestamp(milliseconds: now + 70_000))
        #expect(log.heldOrigins == [held])
        #expect(try !log.liftHolds())
        try write(log)
        #expect(applied(log) == 1)

        clock.set(now: now + 10_000)
        #expect(try log.liftHolds())
        #expect(applied(log) == 2)
        let rest = HeldOrigin(origin: origin, sequences: 3...5, timestamp: Timestamp(milliseconds: now + 70_001))
        #expect(log.heldOrigins == [rest])
        try LogVerifier.close(log, at: "/store", in: environment)

        // A writer lifts what is due before it writes, and its context says so.
        clock.set(now: now + 140_000)
        log = try EventLog.open(at: "/store", in: environment)
        #expect(log.heldOrigins == [rest])
        let header = try write(log)
        #expect(header.context == [ContextEntry(origin: origin, sequence: 4, chain: batch.chain(after: 4))])
        #expect(header.timestamp > Timestamp(milliseconds: now + 200_000))
        #expect(try write(log).context.isEmpty)
        try log.close()

        // What was lifted stays lifted, and what is as old is applied at once.
        clock.set(now: now)
        log = try EventLog.open(at: "/store", in: environment)
        #expect(applied(log) == 4)
        let timestamp = try write(log).timestamp
        #expect(timestamp > Timestamp(milliseconds: now + 200_000), "the clock knows what is applied of a held origin")
        let other = ReplicaID(Digest128(high: 8, low: 8))
        let part = PartBytes(
            TestPart.bytes(
                TransactionHeader(origin: other, sequence: 1, timestamp: Timestamp(milliseconds: now + 200_000))))
        let late = Batch(
            origin: other, firstSequence: 1, previousChain: Chain.start(dataset: log.dataset, origin: other),
            transactions: [part])
        #expect(try log.receive(late).held == 0)
        try log.flush()
        try LogVerifier.close(log, at: "/store", in: environment)
    }

    @Test func aReleaseAppliesWhatIsHereAndNothingThatComesLater() throws {
        let environment = Environment.simulated(seed: 1, clock: clock)
        var log = try EventLog.create(at: "/store", in: environment)
        let now = clock.now()
        let times: [UInt64] = [1, 1 << 40, (1 << 40) + 1, (1 << 40) + 200_000]
        let all = batch(log.dataset, at: times, from: now)
        let first = Batch(
            origin: origin, firstSequence: 1, previousChain: all.previousChain, transactions: Array(all.transactions.prefix(3)))
        #expect(try log.receive(first).held == 2)
        #expect(try !log.release(origin: log.replica))
        #expect(try log.release(origin: origin))
        #expect(applied(log) == 3 && log.heldOrigins.isEmpty)
        #expect(try log.receive(all).held == 1)
        try log.flush()
        #expect(applied(log) == 3 && log.heldOrigins.map(\.sequences) == [4...4])
        try log.close()
        log = try EventLog.open(at: "/store", in: environment)
        #expect(applied(log) == 3 && log.heldOrigins.map(\.sequences) == [4...4])
        #expect(try write(log).timestamp > Timestamp(milliseconds: now + (1 << 40)))
        try log.close()
    }

    /// A machine whose clock was ahead is set back, clock and store: what it wrote comes back to it, and waits for nothing.
    @Test(arguments: [1, 2]) func whatAStoreWroteItselfIsNeverHeld(_ parts: Int) throws {
        let files = SimulatedFileSystem()
        var environment = Environment.simulated(seed: 1, clock: clock)
        environment.fileSystem = files
        try EventLog.create(at: "/store", in: environment).close()
        var before = environment
        before.fileSystem = files.clone(sameIdentity: true)
        let now = clock.now()
        clock.set(now: now + 1_000_000)
        let source = try EventLog.open(at: "/store", in: environment)
        for _ in 0..<3 {
            let transaction = try source.begin()
            try transaction.add(part: TestPart.bytes(transaction.header))
            if parts == 2 { try transaction.add(part: [2, 0, 0, 0]) }
            _ = try source.finish(transaction)
        }
        try source.flush()
        clock.set(now: now)
        let target = try EventLog.open(at: "/store", in: before)
        let origin = target.replica
        #expect(origin == source.replica)
        var reader = try LogReader(source)
        while let transaction = try reader.next() {
            guard case .parts(let parts) = transaction.content else { continue }
            let result: ReceivedTransactions
            if parts.count == 1 {
                result = try target.receive(
                    Batch(
                        origin: origin, firstSequence: transaction.sequence, previousChain: transaction.previousChain,
                        transactions: parts))
            } else {
                let body = PartBody(
                    origin: origin, sequence: transaction.sequence, number: 0, isLast: false,
                    previousChain: transaction.previousChain, chain: .zero, part: parts[0])
                var collector = try target.beginReceiving(body)
                try collector.add(parts[1])
                result = try target.finishReceiving(collector, chain: transaction.chain)
            }
            #expect(result.new == 1 && result.held == 0, "transaction \(transaction.sequence)")
            try target.flush()
        }
        #expect(target.heldOrigins.isEmpty && target.replica != origin)
        #expect(target.durableState.branches.positions(applied: true).map(\.position.sequence) == [3])
        try LogVerifier.close(target, at: "/store", in: before)
        try source.close()
    }

    /// An origin that forks while it is held: no branch is applied before what it grew from.
    @Test(arguments: [1, 2, 3]) func branchesOfAHeldOriginAreHeld(_ common: Int) throws {
        let environment = Environment.simulated(seed: 1, clock: clock)
        let log = try EventLog.create(at: "/store", in: environment)
        let now = clock.now()
        let times: [UInt64] = [1, 70_000, 80_000, 90_000]
        let left = batch(log.dataset, at: times, from: now)
        let right = Batch(
            origin: origin, firstSequence: 1, previousChain: left.previousChain,
            transactions: Array(left.transactions.prefix(common))
                + batch(log.dataset, at: times, from: now, nonce: "right").transactions.dropFirst(common))
        #expect(try log.receive(left).held == 3)
        #expect(try log.receive(right).held == 4 - common)
        try log.flush()
        #expect(log.durableState.branches.positions(applied: true).map(\.position.sequence) == [1])
        #expect(log.heldOrigins.count == 2)
        clock.set(now: now + 20_000)
        try log.liftHolds()
        let partly = log.durableState.branches.positions(applied: true).map(\.position.sequence)
        #expect(partly == (common == 3 ? [3] : [3, 3]))
        clock.set(now: now + 30_000)
        try log.liftHolds()
        #expect(log.durableState.branches.positions(applied: true).map(\.position.sequence) == [4, 4])
        #expect(log.heldOrigins.isEmpty)
        try LogVerifier.close(log, at: "/store", in: environment)
    }
}

extension Batch {
    fileprivate func chain(after count: Int) -> Digest128 {
        transactions.prefix(count).reduce(previousChain) { Chain.step($0, $1) }
    }
}
