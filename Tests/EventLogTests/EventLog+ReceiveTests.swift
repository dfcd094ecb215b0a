import EventLog
import Simulation
import Storage
import Testing

/// Transactions that come from another store: duplicates, gaps, forks.
@Suite struct EventLogReceiveTests {
    private func log(_ path: String, _ environment: Environment, dataset: DatasetID? = nil) throws -> EventLog {
        try EventLog.create(at: path, in: environment, dataset: dataset)
    }

    private func write(_ authors: [String], to log: EventLog) throws {
        for author in authors {
            let transaction = try log.begin(author: author)
            try transaction.add(part: TestPart.bytes(transaction.header))
            try log.finish(transaction)
        }
        try log.flush()
    }

    /// Everything in a log, one batch for each transaction.
    private func batches(_ log: EventLog) throws -> [Batch] {
        var reader = try LogReader(log)
        var found: [Batch] = []
        while let transaction = try reader.next() {
            guard case .parts(let parts) = transaction.content else { continue }
            found.append(
                Batch(
                    origin: transaction.branch.origin, firstSequence: transaction.sequence,
                    previousChain: transaction.previousChain,
                    transactions: parts))
        }
        return found
    }

    @Test func takesEachTransactionOnce() throws {
        let environment = Environment.inMemory()
        let source = try log("/a", environment)
        try write(["one", "two", "three"], to: source)
        let target = try log("/b", environment, dataset: source.dataset)
        let all = try batches(source)
        #expect(throws: LogError.self) { try target.receive(all[1]) }
        for batch in all + all { _ = try target.receive(batch) }
        try target.flush()
        #expect(try batches(target).map(\.firstSequence) == [1, 2, 3])
        #expect(
            target.durableState.branches.positions(applied: true).map(\.position)
                == source.durableState.branches.positions(applied: true).map(\.position))
        try target.close()
        try source.close()
    }

    /// What is received is a write like any other: the log is no longer as it was closed, and is closed anew.
    @Test func aStoreThatOnlyReceivesIsClosedCleanly() throws {
        let environment = Environment.simulated(seed: 1)
        let source = try log("/a", environment)
        try write(["one", "two"], to: source)
        var target = try log("/b", environment, dataset: source.dataset)
        let replica = target.replica
        for batch in try batches(source) {
            _ = try target.receive(batch)
            try target.close()
            let machine = environment.rebooted(seed: 9)
            target = try EventLog.open(at: "/b", in: machine)
            #expect(target.recovery.isEmpty && target.replica == replica)
        }
        try target.close()
        try source.close()
    }

    @Test func aForkHasTheSameNamesWhateverCameFirst() throws {
        let files = SimulatedFileSystem()
        var environment = Environment.inMemory()
        environment.fileSystem = files
        let before = try log("/a", environment)
        try write(["common"], to: before)
        try before.close()
        // The machine is rolled back: the same store goes on twice.
        var other = environment
        other.fileSystem = files.clone(sameIdentity: true)
        let left = try EventLog.open(at: "/a", in: environment)
        let right = try EventLog.open(at: "/a", in: other)
        #expect(left.replica == right.replica)
        try write(["left 2", "left 3"], to: left)
        try write(["right 2"], to: right)

        var names: [[String]] = []
        for order in [[left, right], [right, left]] {
            let target = try log("/t\(names.count)", Environment.inMemory(), dataset: left.dataset)
            for source in order {
                for batch in try batches(source) { _ = try target.receive(batch) }
            }
            try target.flush()
            #expect(target.durableState.branches.hasForks)
            names.append(
                target.durableState.branches.positions(applied: true).map { "\($0.name) \($0.position.sequence)" })
            #expect(try batches(target).count == 4)
            try target.close()
        }
        #expect(names[0] == names[1])
        #expect(names[0].count == 2)
    }

    /// A peer's batch with the right numbers and one byte that is not the origin's.
    @Test func aBatchThatLiesAboutItsChainIsRefused() throws {
        let environment = Environment.inMemory()
        let source = try log("/a", environment)
        try write(["one"], to: source)
        let target = try log("/b", environment, dataset: source.dataset)
        let batch = try batches(source)[0]
        var bytes = batch.encode()
        bytes[bytes.count - 1] ^= 1
        let forged = try Batch(bytes)
        #expect(forged.chain == batch.chain)
        #expect { try target.receive(forged) } throws: { ($0 as? LogError)?.code == .invalidTransaction }
        #expect(!target.hasPending)
        #expect(try target.receive(batch).new == 1)
        try target.flush()
        try LogVerifier.close(target, at: "/b", in: environment)
        try source.close()
    }

    /// A peer's frame is stored as it came, unless its header says something else than what is in it.
    @Test func aFrameThatLiesAboutItsTransactionsIsNotStored() throws {
        let environment = Environment.inMemory()
        let source = try log("/a", environment)
        try write(["one", "two"], to: source)
        let target = try log("/b", environment, dataset: source.dataset)
        for batch in try batches(source) {
            _ = try target.receive(batch, as: Frame(.batch, body: batch.encode(), transactions: 7))
        }
        try target.flush()
        #expect(try LogVerifier.entries(target).map(\.sequence) == [1, 2])
        try LogVerifier.close(target, at: "/b", in: environment)
        try source.close()
    }

    /// Transactions of several parts and staged ones, relayed part by part, once and again, and one that is cut short.
    @Test func largeTransactionsAreRelayedInParts() throws {
        let (disk, script) = try LogScript.initial()
        try script.run(on: disk)
        let source = try EventLog.open(
            at: LogScript.path, in: .simulated(seed: 1, fileSystem: disk), sizes: LogScript.sizes)
        let environment = Environment.inMemory()
        let target = try EventLog.create(at: "/b", in: environment, dataset: source.dataset, sizes: LogScript.sizes)
        for round in 0..<2 {
            var reader = try LogReader(source)
            while let transaction = try reader.next() {
                var parts: [PartBytes] = []
                try source.forEachPart(of: transaction) { parts.append($0) }
                let bodies = parts.enumerated().map { number, part in
                    PartBody(
                        origin: transaction.branch.origin, sequence: transaction.sequence, number: UInt64(number),
                        isLast: number == parts.count - 1, previousChain: transaction.previousChain, chain: transaction.chain,
                        part: part)
                }
                if round == 0, parts.count > 1 {
                    // Without its last part it does not have its chain, and leaves nothing behind.
                    let half = try target.beginReceiving(bodies[0])
                    #expect(throws: LogError.self) { try target.finishReceiving(half, chain: transaction.chain) }
                }
                var collector = try target.beginReceiving(bodies[0])
                for body in bodies.dropFirst() { try collector.add(body.part) }
                let result = try target.finishReceiving(collector, chain: transaction.chain)
                #expect(result.new == 1 - round && result.known == round)
            }
            try target.flush()
        }
        #expect(try LogVerifier.entries(target).map(\.chain) == LogVerifier.entries(source).map(\.chain))
        #expect(try environment.fileSystem.list("/b/tmp").isEmpty)
        try LogVerifier.close(target, at: "/b", in: environment)
        try source.close()
    }

    /// A large transaction may take long to arrive, and what came before it must not keep other writers out meanwhile.
    @Test func aTransactionOnItsWayKeepsNobodyOut() throws {
        let environment = Environment.inMemory()
        let source = try log("/a", environment)
        try write(["one", "two"], to: source)
        let target = try log("/b", environment, dataset: source.dataset)
        let all = try batches(source)
        _ = try target.receive(all[0])
        #expect(target.hasPending)
        let body = PartBody(
            origin: all[1].origin, sequence: 2, number: 0, isLast: false, previousChain: all[1].previousChain, chain: .zero,
            part: all[1].transactions[0])
        let collector = try target.beginReceiving(body)
        let lock = try environment.fileSystem.open("/b/LOCK", .readWrite)
        #expect(try lock.tryLock())
        try lock.unlock()
        lock.close()
        #expect(try LogVerifier.entries(target).count == 1)
        target.abandonReceiving(collector)
        try LogVerifier.close(target, at: "/b", in: environment)
        try source.close()
    }
}
