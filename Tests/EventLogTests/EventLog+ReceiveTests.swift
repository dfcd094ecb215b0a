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
            _ = try log.finish(transaction)
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
}
