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

    /// A flush that ends as another thread begins must not give back the lock that the beginning found held.
    @Test func aFlushOnAnotherThreadTakesNoLockAway() async throws {
        let files = InMemoryFileSystem()
        let first = try EventLog.create(at: "/store", in: environment(files, seed: 1), sizes: sizes)
        let second = try EventLog.open(at: "/store", in: environment(files, seed: 2), sizes: sizes)
        let each = 500
        let written = Flag()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await blocking {
                    defer { written.isDone.store(true, ordering: .releasing) }
                    for number in 0..<each {
                        let transaction = try first.begin(author: "\(number)")
                        try transaction.add(part: TestPart.bytes(transaction.header))
                        try first.finish(transaction)
                    }
                    // Nobody else may be left to do it, and who waits for the lock waits for this.
                    try first.flush()
                }
            }
            group.addTask {
                try await blocking { while !written.isDone.load(ordering: .acquiring) { try first.flush() } }
            }
            group.addTask { try await blocking { for number in 0..<each { try self.write(second, "\(number)") } } }
            try await group.waitForAll()
        }
        try write(second, "last")
        let entries = try LogVerifier.entries(second)
        #expect(entries.map(\.sequence) == (1...UInt64(2 * each + 1)).map { $0 })
        try first.close()
        try LogVerifier.close(second, at: "/store", in: environment(files, seed: 3))
    }

    @Test func writersTakeTurns() async throws {
        let files = InMemoryFileSystem()
        let first = try EventLog.create(at: "/store", in: environment(files, seed: 1), sizes: sizes)
        let second = try EventLog.open(at: "/store", in: environment(files, seed: 2), sizes: sizes)
        let queue = try files.open("/store/NEXT", .readWrite)
        let flag = Flag()
        let open = try first.begin(author: "first")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await blocking {
                    defer { flag.isDone.store(true, ordering: .releasing) }
                    try self.write(second, "second")
                }
            }
            // Until it waits in the queue, or went by it.
            while !flag.isDone.load(ordering: .acquiring), try queue.tryLock() {
                try queue.unlock()
                await Task.yield()
            }
            let isPast = flag.isDone.load(ordering: .acquiring)
            #expect(!isPast, "it wrote although another process had the lock")
            try open.add(part: TestPart.bytes(open.header))
            try first.finish(open)
            try first.flush()
            try await group.waitForAll()
        }
        #expect(try LogVerifier.entries(second).map(\.sequence) == [1, 2])
        try first.close()
        try LogVerifier.close(second, at: "/store", in: environment(files, seed: 3))
    }

    @Test func aKeptLockIsGivenBackAtRestOrToWhoWaits() async throws {
        let files = InMemoryFileSystem()
        let log = try EventLog.create(at: "/store", in: environment(files, seed: 1), sizes: sizes)
        let lock = try files.open("/store/LOCK", .readWrite)
        let queue = try files.open("/store/NEXT", .readWrite)
        func commit() throws {
            let transaction = try log.begin(author: "a")
            try transaction.add(part: TestPart.bytes(transaction.header))
            try log.finish(transaction)
            try log.flush(keepingLock: true)
        }
        try commit()
        #expect(try !lock.tryLock())
        // Rest in the middle of a transaction gives nothing back.
        let open = try log.begin(author: "b")
        try log.rest()
        #expect(try !lock.tryLock())
        try log.withdraw(open)
        try commit()
        try log.rest()
        #expect(try lock.tryLock())
        try lock.unlock()
        // Whoever holds NEXT waits for LOCK.
        try commit()
        #expect(try queue.tryLock())
        let waited = try log.begin(author: "c")
        try waited.add(part: TestPart.bytes(waited.header))
        try log.finish(waited)
        try log.flush(keepingLock: true)
        #expect(try lock.tryLock())
        try lock.unlock()
        try queue.unlock()
        queue.close()
        lock.close()
        try log.close()
    }

    /// A process that waits has the lock with the next group, though the holder would go on writing.
    @Test func aWaitingProcessIsNextAfterTheGroupInHand() async throws {
        let files = InMemoryFileSystem()
        let first = try EventLog.create(at: "/store", in: environment(files, seed: 1), sizes: sizes)
        let second = try EventLog.open(at: "/store", in: environment(files, seed: 2), sizes: sizes)
        func finish(_ transaction: OpenTransaction) throws {
            try transaction.add(part: TestPart.bytes(transaction.header))
            _ = try first.finish(transaction)
        }
        try finish(try first.begin(author: "1"))
        let open = try first.begin(author: "2")
        let queue = try files.open("/store/NEXT", .readWrite)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await blocking { try self.write(second, "3") } }
            while try queue.tryLock() {
                try queue.unlock()
                await Task.yield()
            }
            // A transaction is open: the lock stays until it is written.
            try first.flush()
            try finish(open)
            try first.flush()
            // This one would not wait for the other if it were not its turn.
            let next = try first.begin(author: "4")
            try finish(next)
            try first.flush()
            try await group.waitForAll()
        }
        var authors: [String] = []
        var reader = try LogReader(first)
        while let transaction = try reader.next() {
            guard case .parts(let parts) = transaction.content else { continue }
            authors.append(
                try TransactionDecoder.header(of: parts[0], origin: first.replica, sequence: transaction.sequence).author)
        }
        #expect(authors == ["1", "2", "3", "4"])
        try second.close()
        try first.close()
    }

    /// While one thread flushes again and again, another commits: the lock must not be given back under a group in flight.
    @Test func flushingFromTwoThreadsKeepsTheLock() async throws {
        let files = InMemoryFileSystem()
        let first = try EventLog.create(at: "/store", in: environment(files, seed: 1), sizes: sizes)
        let second = try EventLog.open(at: "/store", in: environment(files, seed: 2), sizes: sizes)
        let flag = Flag()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await blocking { while !flag.isDone.load(ordering: .relaxed) { try first.flush() } }
            }
            group.addTask {
                try await blocking {
                    defer { flag.isDone.store(true, ordering: .relaxed) }
                    for number in 0..<500 {
                        try self.write(first, "\(number)")
                        try self.write(second, "\(number)")
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try LogVerifier.entries(second).map(\.sequence) == (1...1000).map { UInt64($0) })
        try second.close()
        try first.close()
    }
}
