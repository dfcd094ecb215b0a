import EventLog
import Simulation
import Storage
import Synchronization
import Testing

/// Several processes on one store: instances of the log over the same files.
@Suite struct EventLogLockTests {
    private final class Flag: Sendable {
        let isDone = Atomic(false)
    }

    private let sizes = LogSizes(smallestSegment: 64 << 10, largestSegment: 256 << 10)

    private func environment(_ files: any FileSystem, seed: UInt64) -> Environment {
        var environment = Environment.simulated(seed: 1)
        environment.fileSystem = files
        environment.random = SeededRandom(seed: seed)
        return environment
    }

    private func write(_ log: EventLog, _ author: String) throws {
        let transaction = try log.begin(author: author)
        try transaction.add(part: TestPart.bytes(transaction.header))
        try log.finish(transaction)
        try log.flush()
    }

    @Test func twoWritersAndAFollower() async throws {
        let files = InMemoryFileSystem()
        let first = try EventLog.create(at: "/store", in: environment(files, seed: 1), sizes: sizes)
        let second = try EventLog.open(at: "/store", in: environment(files, seed: 2), sizes: sizes)
        let follower = environment(files, seed: 3)
        #expect(first.replica == second.replica)
        let each = 1000
        let seen = try await withThrowingTaskGroup(of: Int.self) { group in
            for log in [first, second] {
                group.addTask {
                    for number in 0..<each { try self.write(log, "\(number)") }
                    return 0
                }
            }
            var last = 0
            for _ in 0..<20 {
                let log = try EventLog.open(at: "/store", in: follower, mode: .readOnly)
                let found = try LogVerifier.entries(log).count
                #expect(found >= last)
                last = found
                try log.close()
                await Task.yield()
            }
            try await group.waitForAll()
            return last
        }
        #expect(seen <= 2 * each)
        // Both catch up, and agree.
        try write(first, "last")
        let entries = try LogVerifier.entries(first)
        #expect(entries.map(\.sequence) == (1...UInt64(2 * each + 1)).map { $0 })
        #expect(Set(entries.map(\.origin)).count == 1)
        try write(second, "the very last")
        #expect(try LogVerifier.entries(second).dropLast() == entries[...])
        try first.close()
        try LogVerifier.close(second, at: "/store", in: environment(files, seed: 3))
    }

    /// While one thread flushes again and again, another commits: the lock must not be given back under a group in flight.
    @Test func flushingFromTwoThreadsKeepsTheLock() async throws {
        let files = InMemoryFileSystem()
        let first = try EventLog.create(at: "/store", in: environment(files, seed: 1), sizes: sizes)
        let second = try EventLog.open(at: "/store", in: environment(files, seed: 2), sizes: sizes)
        let flag = Flag()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { while !flag.isDone.load(ordering: .relaxed) { try first.flush() } }
            group.addTask {
                defer { flag.isDone.store(true, ordering: .relaxed) }
                for number in 0..<500 {
                    try self.write(first, "\(number)")
                    try self.write(second, "\(number)")
                }
            }
            try await group.waitForAll()
        }
        #expect(try LogVerifier.entries(second).map(\.sequence) == (1...1000).map { UInt64($0) })
        try second.close()
        try first.close()
    }
}
