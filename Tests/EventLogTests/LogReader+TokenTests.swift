import EventLog
import Simulation
import Storage
import Testing

/// Reading what a token or a peer's vector does not cover: exactly that, from wherever it came.
@Suite struct LogReaderTokenTests {
    private let clock = SimulatedClock()
    private static let sizes = LogSizes(smallestSegment: 24 << 10, largestSegment: 24 << 10)

    private func create(_ seed: UInt64, _ dataset: DatasetID? = nil) throws -> EventLog {
        try EventLog.create(
            at: "/store", in: .simulated(seed: seed, clock: clock), dataset: dataset, sizes: Self.sizes)
    }

    private func write(_ log: EventLog, size: Int = 300) throws {
        let transaction = try log.begin(author: String(repeating: "x", count: size))
        try transaction.add(part: TestPart.bytes(transaction.header))
        _ = try log.finish(transaction)
        try log.flush()
    }

    private func send(_ source: EventLog, to target: EventLog, limit: Int = .max) throws {
        var reader = try LogReader(source, lacking: target.receivedVector)
        var count = 0
        while count < limit, let stored = try reader.next() {
            guard case .parts(let parts) = stored.content else { continue }
            let batch = Batch(
                origin: stored.branch.origin, firstSequence: stored.sequence, previousChain: stored.previousChain,
                transactions: parts)
            #expect(try target.receive(batch).new == 1, "only what it lacks")
            count += 1
        }
        try target.flush()
    }

    private func chains(_ reader: LogReader) throws -> [Digest128] {
        var reader = reader
        var found: [Digest128] = []
        while let transaction = try reader.next() { found.append(transaction.chain) }
        return found
    }

    @Test(arguments: 0..<8 as Range<UInt64>) func deliversExactlyWhatATokenDoesNotCover(_ seed: UInt64) throws {
        var dice = Dice(seed)
        var logs = [try create(seed * 10 + 1)]
        for number in 2...3 { logs.append(try create(seed * 10 + UInt64(number), logs[0].dataset)) }
        // Tokens of every store, and the transactions each covers.
        var tokens: [(token: HistoryToken, chains: Set<Digest128>)] = []
        for _ in 0..<150 {
            let log = logs[dice.below(3)]
            if dice.chance(70) {
                try write(log, size: dice.below(1200))
            } else {
                try send(logs[dice.below(3)], to: log, limit: 1 + dice.below(9))
            }
            if dice.chance(30) { tokens.append((log.token, Set(try chains(LogReader(log))))) }
        }
        #expect(logs[0].durableState.position.ordinal > 2)
        for log in logs {
            let all = try chains(LogReader(log))
            for (token, covered) in tokens {
                let read = try LogReader(log, after: try HistoryToken(token.description))
                #expect(read.token == log.token)
                #expect(try chains(read) == all.filter { !covered.contains($0) })
                #expect(try chains(LogReader(log, lacking: token.vector)) == all.filter { !covered.contains($0) })
            }
            #expect(try chains(LogReader(log, after: log.token)).isEmpty)
            #expect(try chains(LogReader(log, after: HistoryToken(dataset: log.dataset, vector: VersionVector()))) == all)
            try log.close()
        }
    }

    @Test func aTokenOfAnotherDatasetIsRefused() throws {
        let (log, other) = (try create(1), try create(2))
        let error = #expect(throws: LogError.self) { try LogReader(log, after: other.token) }
        #expect(error?.code == .wrongDataset)
        try log.close()
        try other.close()
    }

    /// The copy of a log has its id, and after the copying other transactions at the same places.
    @Test func aCopyDoesNotBelieveTheHintsOfTheOriginal() throws {
        let files = SimulatedFileSystem()
        let environment = Environment.simulated(seed: 1, fileSystem: files, clock: clock)
        let log = try EventLog.create(at: "/store", in: environment, sizes: Self.sizes)
        for _ in 0..<3 { try write(log) }
        let common = log.token
        try log.close()
        var elsewhere = environment
        elsewhere.fileSystem = files.clone(sameIdentity: false)
        var twin = environment
        twin.fileSystem = files.clone(sameIdentity: true)
        let original = try EventLog.open(at: "/store", in: environment)
        let copy = try EventLog.open(at: "/store", in: elsewhere)
        let rolledBack = try EventLog.open(at: "/store", in: twin)
        try write(original)
        try write(copy)
        try write(copy)
        try write(rolledBack, size: 20)
        #expect(copy.replica != original.replica && rolledBack.replica == original.replica)
        #expect(try chains(LogReader(copy, after: original.token)).count == 2)
        #expect(try chains(LogReader(copy, after: common)).count == 2)
        #expect(try chains(LogReader(original, after: copy.token)).count == 1)
        let error = #expect(throws: LogError.self) { try LogReader(rolledBack, after: original.token) }
        #expect(error?.code == .forked)
        // A peer is sent too much rather than too little.
        #expect(try chains(LogReader(rolledBack, lacking: original.receivedVector)).count == 4)
        for log in [original, copy, rolledBack] { try log.close() }
    }

    @Test func whatIsHeldComesWhenItIsReleased() throws {
        let (log, source) = (try create(1), try create(2))
        _ = source
        let origin = ReplicaID(Digest128(high: 7, low: 7))
        let parts = [1, 70_000, 80_000].enumerated().map { number, time in
            PartBytes(
                TestPart.bytes(
                    TransactionHeader(
                        origin: origin, sequence: UInt64(number) + 1,
                        timestamp: Timestamp(milliseconds: clock.now() + UInt64(time)))))
        }
        _ = try log.receive(
            Batch(
                origin: origin, firstSequence: 1, previousChain: Chain.start(dataset: log.dataset, origin: origin),
                transactions: parts))
        try log.flush()
        for _ in 0..<100 { try write(log) }
        let token = log.token
        #expect(try chains(LogReader(log, after: HistoryToken(dataset: log.dataset, vector: VersionVector()))).count == 101)
        #expect(try chains(LogReader(log, after: token)).isEmpty)
        #expect(try chains(LogReader(log, lacking: VersionVector())).count == 103)
        #expect(log.receivedVector.sequence(of: origin) == 3 && token.vector.sequence(of: origin) == 1)
        clock.set(now: clock.now() + 10_000)
        try write(log)
        #expect(try chains(LogReader(log, after: token)).count == 2)
        try log.release(origin: origin)
        #expect(try chains(LogReader(log, after: token)).count == 3)
        #expect(try chains(LogReader(log, after: log.token)).isEmpty)
        try log.close()
    }

    /// Tokens of stores that know some branches of a fork, under whatever names.
    @Test(arguments: 0..<16) func branchesAreMeantByTheirChains(_ seed: Int) throws {
        var dice = Dice(UInt64(seed))
        let log = try create(UInt64(seed * 2))
        let other = try create(UInt64(seed * 2 + 1), log.dataset)
        let tree = ForkTree(transactions: 4 + dice.below(16), dataset: log.dataset, now: clock.now() - 1000, dice: &dice)
        for node in tree.order(&dice) {
            _ = try log.receive(tree.batch(to: node, count: 1))
            if dice.chance(40) { try log.flush() }
        }
        try log.flush()
        var reader = try LogReader(log)
        var names: [Digest128: ReplicaID] = [:]
        while let transaction = try reader.next() { names[transaction.chain] = transaction.name }
        #expect(names == tree.names.filter { $0.key != tree.nodes[0].chain })
        let all = try chains(LogReader(log))
        for node in tree.order(&dice) {
            _ = try other.receive(tree.batch(to: node, count: 1))
            try other.flush()
            let covered = Set(try chains(LogReader(other)))
            #expect(try chains(LogReader(log, after: other.token)) == all.filter { !covered.contains($0) })
            #expect(try chains(LogReader(log, lacking: other.receivedVector)) == all.filter { !covered.contains($0) })
            // And the one that knows less skips what it has, at worst gives some of it again.
            #expect(try chains(LogReader(other, lacking: log.receivedVector)).count <= covered.count)
        }
        #expect(try chains(LogReader(other, after: log.token)).isEmpty)
        try log.close()
        try other.close()
    }
}
