import EventLog
import Simulation
import Storage
import Testing

/// Following a store that another process writes, without its lock.
@Suite struct EventLogRefreshTests {
    private let files = SimulatedFileSystem()

    private func environment(_ seed: UInt64) -> Environment {
        var environment = Environment.simulated(seed: 1, fileSystem: files)
        environment.random = SeededRandom(seed: seed)
        return environment
    }

    private func open(_ seed: UInt64, _ mode: EventLog.Mode = .readWrite) throws -> EventLog {
        try EventLog.open(at: LogScript.path, in: environment(seed), mode: mode, sizes: LogScript.sizes)
    }

    @Test func readersSeeWhatWasMadeDurableAcrossSegmentsAndNoMore() throws {
        let writer = try EventLog.create(at: LogScript.path, in: environment(1), sizes: LogScript.sizes)
        let (other, readOnly) = (try open(2), try open(3, .readOnly))
        let script = LogScript()
        for size in [10, 9000, 20, 9000, 9000, 20_000, 5] {
            let count = readOnly.commitCount
            #expect(other.commitCount == count)
            try script.commit([[size], [size]], to: writer)
            #expect(readOnly.commitCount > count && other.commitCount == readOnly.commitCount)
            for log in [other, readOnly] {
                #expect(log.durableState.position.lastLSN + 2 == writer.durableState.position.lastLSN)
                #expect(try log.refresh())
                #expect(log.durableState == writer.durableState)
                #expect(try !log.refresh())
                try script.check(log)
            }
        }
        #expect(writer.durableState.position.ordinal > 3)
        // What is written and not yet durable stays unseen.
        let transaction = try writer.begin()
        try transaction.add(part: TestPart.bytes(transaction.header))
        _ = try writer.finish(transaction)
        try writer.flush { _ in
            #expect((try? readOnly.refresh()) == false && (try? other.refresh()) == false)
        }
        #expect(try readOnly.refresh() && other.refresh())
        // Whoever followed can write at once.
        try script.commit([[30]], to: other)
        #expect(try writer.refresh())
        try script.check(writer)
        try writer.close()
        try other.close()
        #expect(try !other.refresh())
        #expect(try readOnly.refresh())
        try script.check(readOnly)
    }

    /// A control frame without transactions is news as well.
    @Test func releasesAreSeen() throws {
        let clock = SimulatedClock()
        var environment = environment(1)
        environment.clock = clock
        let writer = try EventLog.create(at: LogScript.path, in: environment)
        let reader = try open(2, .readOnly)
        let origin = ReplicaID(Digest128(high: 7, low: 7))
        let part = PartBytes(
            TestPart.bytes(
                TransactionHeader(origin: origin, sequence: 1, timestamp: Timestamp(milliseconds: clock.now() + 70_000))))
        _ = try writer.receive(
            Batch(
                origin: origin, firstSequence: 1, previousChain: Chain.start(dataset: writer.dataset, origin: origin),
                transactions: [part]))
        try writer.flush()
        #expect(try reader.refresh())
        #expect(reader.heldOrigins.count == 1)
        #expect(try writer.release(origin: origin))
        #expect(try reader.refresh())
        #expect(reader.heldOrigins.isEmpty && reader.durableState == writer.durableState)
        try writer.close()
    }

    @Test func aPageThatAWriterLeftHalfChangedIsNotBelieved() throws {
        let writer = try EventLog.create(at: LogScript.path, in: environment(1), sizes: LogScript.sizes)
        let reader = try open(2, .readOnly)
        let script = LogScript()
        try script.commit([[10]], to: writer)
        let page = try files.sharedPage(LogScript.path + "/SHARED", words: 512)
        page.add(1, at: 10)
        page.store(99, at: 4)
        #expect(try !reader.refresh())
        try script.commit([[10]], to: writer)
        #expect(try reader.refresh())
        try script.check(reader)
        try writer.close()
    }

    @Test func aWatcherWakesForACommitAndForNothingElse() async throws {
        let writer = try EventLog.create(at: LogScript.path, in: environment(1), sizes: LogScript.sizes)
        let reader = try open(2, .readOnly)
        let watcher = try CommitWatcher(reader)
        let count = reader.commitCount
        #expect(!watcher.wait(past: count, milliseconds: 5))
        let isWoken = try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { try await blocking { watcher.wait(past: count, milliseconds: 60_000) } }
            try LogScript().commit([[10]], to: writer)
            return try await group.next() ?? false
        }
        #expect(isWoken)
        #expect(watcher.wait(past: count, milliseconds: 0))
        watcher.cancel()
        #expect(!watcher.wait(past: reader.commitCount, milliseconds: 60_000))
        try writer.close()
    }
}
