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

    /// A page of this boot that is damaged counts as none: nothing that is durable is hidden, refused or waited for.
    @Test(arguments: [3, 4, 5, 10], [1, -1, 2, -2, 4096, -4096]) func aDamagedPageIsNoPage(_ word: Int, _ change: Int64) throws
    {
        guard word != 10 || change % 2 == 0 else { return }
        let writer = try EventLog.create(at: LogScript.path, in: environment(1), sizes: LogScript.sizes)
        let reader = try open(2, .readOnly)
        let other = try open(3)
        let script = LogScript()
        try script.commit([[10]], to: writer)
        try script.commit([[20]], to: writer)
        _ = try reader.refresh()
        let page = try files.sharedPage(LogScript.path + "/SHARED", words: 512)
        func damage() { page.add(UInt64(bitPattern: change), at: word) }
        damage()
        #expect(try !reader.refresh())
        #expect(reader.commitCount == 0)
        try script.check(try open(4, .readOnly), "for reading only")
        try script.check(try open(5), "opened anew")
        damage()
        // A process that has it open finds it so when it takes the lock, and makes it anew.
        try script.commit([[30]], to: other)
        #expect(other.replica != writer.replica)
        #expect(try reader.refresh())
        try script.check(reader)
        try script.commit([[40]], to: writer)
        #expect(other.replica == writer.replica)
        try writer.close()
        damage()
        // Closed with nothing in the air, it need not be believed.
        let again = try open(6)
        #expect(again.recovery.isEmpty)
        try script.check(again)
        try LogVerifier.close(again, at: LogScript.path, in: environment(7))
        try other.close()
    }

    /// Who finds a page damaged and cannot take another id leaves it so, and the next one takes another.
    @Test func aDamagedPageIsMadeAnewAfterTheIdIs() throws {
        let writer = try EventLog.create(at: LogScript.path, in: environment(1), sizes: LogScript.sizes)
        let other = try open(2)
        let script = LogScript()
        try script.commit([[10]], to: writer)
        let replica = writer.replica
        try files.sharedPage(LogScript.path + "/SHARED", words: 512).add(1, at: 3)
        // The next segment and the manifest get their names, and IDENTITY does not.
        files.inject(Fault(at: 2, of: .rename))
        script.attempt([[20]], writer)
        #expect(script.failed == 1 && files.failureCount == 1)
        files.clearFaults()
        try script.commit([[30]], to: other)
        #expect(other.replica != replica)
        try script.commit([[40]], to: writer)
        #expect(writer.replica != replica)
        try script.check(writer)
        try other.close()
        try LogVerifier.close(writer, at: LogScript.path, in: environment(3))
    }

    @Test func aWatcherWakesForACommitAndForNothingElse() async throws {
        let writer = try EventLog.create(at: LogScript.path, in: environment(1), sizes: LogScript.sizes)
        let reader = try open(2, .readOnly)
        let watcher = try CommitWatcher(reader)
        let count = reader.commitCount
        #expect(!watcher.wait(past: count, milliseconds: 5))
        let isWoken = try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { try await blocking { watcher.wait(past: count, milliseconds: 1_200_000) } }
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
