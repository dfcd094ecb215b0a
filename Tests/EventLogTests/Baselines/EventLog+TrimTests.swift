import EventLog
import Simulation
import Storage
import Testing

@Suite struct EventLogTrimTests {
    private let environment = Environment.inMemory()

    private func create(_ path: String = "/store", dataset: DatasetID? = nil) throws -> EventLog {
        try EventLog.create(at: path, in: environment, dataset: dataset, sizes: LogScript.sizes)
    }

    private func code(_ body: () throws -> Void) -> LogError.Code? {
        do { try body() } catch { return (error as? LogError)?.code }
        return nil
    }

    @Test func whatIsCoveredGoesAndTheRestStays() throws {
        var log = try create()
        let tokens = try LogTrim.write(30, to: log, size: 3000)
        let segments = try environment.fileSystem.list("/store/log").count
        #expect(segments > 3)
        let result = try #require(try LogTrim.trim(log, before: tokens[19].vector))
        #expect(result.bytesFreed > 0)
        let floor = try #require(try log.floor)
        #expect(result.transactions == floor.frontLSN && floor.frontLSN > 8 && floor.frontLSN <= 20)
        #expect(try LogTrim.kept(log) == Array(floor.frontLSN + 1...30))
        #expect(try environment.fileSystem.list("/store/log").count < segments)
        try LogVerifier.check("/store", in: environment, "after a trim")
        // It goes on as if nothing had been.
        try LogTrim.write(3, to: log)
        try log.close()
        log = try EventLog.open(at: "/store", in: environment, sizes: LogScript.sizes)
        #expect(log.recovery.isEmpty)
        #expect(try log.floor == floor)
        #expect(try LogTrim.kept(log) == Array(floor.frontLSN + 1...33))
        // All of it, and again where nothing is left to trim.
        #expect(try LogTrim.trim(log)?.transactions == 33 - floor.frontLSN)
        #expect(try LogTrim.trim(log) == nil)
        #expect(try LogTrim.kept(log) == [])
        #expect(try environment.fileSystem.list("/store/log").count == 2)
        try LogTrim.write(1, to: log)
        #expect(try LogTrim.kept(log) == [34])
        try log.close()
        #expect(try LogVerifier.check("/store", in: environment).baselines == 1)
    }

    @Test func whatIsBelowTheFloorIsRefused() throws {
        let log = try create()
        let tokens = try LogTrim.write(30, to: log, size: 3000)
        try LogTrim.trim(log, before: tokens[19].vector)
        let floor = try #require(try log.floor)
        for (index, token) in tokens.enumerated() {
            let bare = HistoryToken(dataset: token.dataset, vector: token.vector)
            let isBelow = UInt64(index) + 1 < floor.frontLSN
            for token in [token, bare] {
                #expect(code { _ = try LogReader(log, after: token) } == (isBelow ? .historyExpired : nil), "\(index)")
            }
            #expect(code { _ = try LogReader(log, lacking: token.vector) } == (isBelow ? .historyExpired : nil))
            #expect(code { _ = try LogReader(log, after: UInt64(index) + 1) } == (isBelow ? .historyExpired : nil))
            guard !isBelow else { continue }
            var reader = try LogReader(log, after: token)
            var count = 0
            while try reader.next() != nil { count += 1 }
            #expect(count == 29 - index)
        }
        #expect(
            code { _ = try LogReader(log, after: HistoryToken(dataset: log.dataset, vector: VersionVector())) }
                == .historyExpired)
        #expect(try log.floorToken(at: log.durableState)?.vector == tokens[Int(floor.frontLSN) - 1].vector)
        try log.close()
    }

    /// The files of large transactions go with them, and no others.
    @Test func stagedTransactionsGoToo() throws {
        let (disk, script) = try LogScript.initial()
        let simulated = Environment.simulated(seed: 1, fileSystem: disk)
        let log = try EventLog.open(at: LogScript.path, in: simulated, sizes: LogScript.sizes)
        try script.commit([[6000, 6000, 6000, 5000]], to: log)
        try script.commit([[9000]], to: log)
        let before = log.token.vector
        for _ in 0..<3 { try script.commit([[9000]], to: log) }
        try script.commit([[6000, 6000, 6000, 4000]], to: log)
        #expect(try disk.list(LogScript.path + "/staged").count == 2)
        #expect(try LogTrim.trim(log, before: before) != nil)
        #expect(try disk.list(LogScript.path + "/staged").count == 1)
        try LogTrim.trim(log)
        #expect(try disk.list(LogScript.path + "/staged") == [])
        try log.close()
        try LogVerifier.check(LogScript.path, in: simulated)
    }

    @Test func whatWaitsForItsTimeStays() throws {
        let clock = SimulatedClock()
        let simulated = Environment.simulated(seed: 1, clock: clock)
        let log = try EventLog.create(at: "/store", in: simulated, sizes: LogScript.sizes)
        let other = try EventLog.create(at: "/other", in: simulated, dataset: log.dataset, sizes: LogScript.sizes)
        try LogTrim.write(3, to: log)
        clock.set(now: clock.now() + 500_000)
        try LogTrim.write(1, to: other)
        clock.set(now: clock.now() - 500_000)
        for batch in try LogTrim.batches(other) { #expect(try log.receive(batch).held == 1) }
        try log.flush()
        try LogTrim.write(3, to: log)
        // Others have it, and could do without; this store has not applied it yet.
        try LogTrim.trim(log, before: log.receivedVector)
        #expect(try LogTrim.kept(log).contains(4))
        clock.set(now: clock.now() + 500_000)
        #expect(try log.liftHolds())
        #expect(try LogTrim.trim(log) != nil)
        #expect(try LogTrim.kept(log) == [])
        for each in [log, other] { try each.close() }
        try LogVerifier.check("/store", in: simulated)
    }

    /// What a writer had applied must go before what it wrote: later it could be found on a branch of another name.
    @Test func whatAWriterKnewGoesFirst() throws {
        let (a, b) = (try create("/a"), try create("/b"))
        _ = (a, b)
        let first = try create("/first")
        let second = try create("/second", dataset: first.dataset)
        try LogTrim.write(1, to: first)
        for batch in try LogTrim.batches(first) { _ = try second.receive(batch) }
        try second.flush()
        // Its context has the transaction of the first.
        try LogTrim.write(1, to: second)
        let target = try create("/target", dataset: first.dataset)
        let late = try LogTrim.batches(second).filter { $0.origin == second.replica }
        for batch in late { _ = try target.receive(batch) }
        try target.flush()
        #expect(try LogTrim.trim(target) == nil)
        for batch in try LogTrim.batches(first) { _ = try target.receive(batch) }
        try target.flush()
        #expect(try LogTrim.trim(target)?.transactions == 2)
        for each in [a, b, first, second, target] { try each.close() }
    }

    /// Transactions that begin below the floor and reach it prove by their chain that they are the same.
    @Test func whatIsReceivedAgainIsKnown() throws {
        let source = try create("/source")
        try LogTrim.write(6, to: source)
        let target = try create("/target", dataset: source.dataset)
        let all = try LogTrim.batches(source)
        for batch in all.prefix(4) { _ = try target.receive(batch) }
        try target.flush()
        try LogTrim.trim(target)
        let whole = Batch(
            origin: source.replica, firstSequence: 1, previousChain: all[0].previousChain,
            transactions: all.flatMap(\.transactions))
        #expect(code { _ = try target.receive(all[1]) } == .historyExpired)
        let received = try target.receive(whole)
        #expect(received.known == 4 && received.new == 2)
        try target.flush()
        let later = Batch(
            origin: source.replica, firstSequence: 3, previousChain: all[2].previousChain,
            transactions: all[2...].flatMap(\.transactions))
        #expect(try target.receive(later).known == 4)
        #expect(try LogTrim.kept(target) == [5, 6])
        for each in [source, target] { try each.close() }
        try LogVerifier.check("/target", in: environment)
    }

    /// Others have the log open: who reads is told, who writes goes on, and nobody brings back what went.
    @Test func otherProcessesGoOn() throws {
        let log = try create()
        try LogTrim.write(20, to: log, size: 3000)
        let other = try EventLog.open(at: "/store", in: environment, sizes: LogScript.sizes)
        let watcher = try EventLog.open(at: "/store", in: environment, mode: .readOnly, sizes: LogScript.sizes)
        var reader = try LogReader(watcher)
        #expect(try reader.next()?.lsn == 1)
        try LogTrim.trim(log)
        // What it has open it may read; then it is told.
        #expect(code { while try reader.next() != nil {} } == .historyExpired)
        #expect(try watcher.floor?.frontLSN == 20)
        try LogTrim.write(20, to: other, size: 3000)
        #expect(try other.floor?.frontLSN == 20)
        #expect(try LogTrim.kept(other) == Array(21...40))
        try watcher.refresh()
        #expect(try LogTrim.kept(watcher) == Array(21...40))
        try LogTrim.trim(other)
        try LogTrim.write(1, to: log)
        #expect(try LogTrim.kept(log) == [41])
        for each in [log, other, watcher] { try each.close() }
        try LogVerifier.check("/store", in: environment)
    }

    /// One process trims a part; another, which has not looked at the manifest since, begins a segment.
    @Test func whoWritesTheManifestKeepsTheFloor() throws {
        let log = try create()
        let tokens = try LogTrim.write(20, to: log, size: 3000)
        let other = try EventLog.open(at: "/store", in: environment, sizes: LogScript.sizes)
        #expect(try LogTrim.trim(log, before: tokens[10].vector) != nil)
        let floor = try #require(try log.floor)
        try LogTrim.write(20, to: other, size: 3000)
        for each in [log, other] { try each.close() }
        let again = try EventLog.open(at: "/store", in: environment, sizes: LogScript.sizes)
        #expect(try again.floor == floor)
        #expect(try LogTrim.kept(again) == Array(floor.frontLSN + 1...40))
        try again.close()
        try LogVerifier.check("/store", in: environment)
    }

    @Test func aBackupHasTheBaseline() throws {
        let log = try create()
        try LogTrim.write(20, to: log, size: 3000)
        try LogTrim.trim(log)
        try LogTrim.write(2, to: log)
        try log.backup(to: "/copy")
        try log.close()
        #expect(try LogVerifier.check("/copy", in: environment).baselines == 1)
        let copy = try EventLog.open(at: "/copy", in: environment)
        #expect(try LogTrim.kept(copy) == [21, 22])
        #expect(try copy.floor?.baselines == log.floor?.baselines)
        try copy.close()
    }

    @Test func verifyingFindsDamageInABaseline() throws {
        let log = try create()
        try LogTrim.write(20, to: log, size: 3000)
        try LogTrim.trim(log)
        try log.close()
        let name = try #require(try environment.fileSystem.list("/store/log").first { $0.hasSuffix(".base") })
        let whole = try environment.fileSystem.readWhole("/store/log/\(name)", limit: 1 << 20)
        for offset in [0, 100, 4100, 4180, whole.count - 90, whole.count - 60, whole.count - 1] {
            var damaged = whole
            damaged[offset] ^= 0x10
            try environment.fileSystem.replace("/store/log/\(name)", with: damaged)
            let found = try EventLog.verify(at: "/store", in: environment)
            #expect(found.problemCount == 1, "offset \(offset): \(found.problems)")
        }
        try environment.fileSystem.remove("/store/log/\(name)")
        #expect(try EventLog.verify(at: "/store", in: environment).problemCount == 1)
    }
}
