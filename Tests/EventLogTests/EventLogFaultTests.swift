import EventLog
import Simulation
import Storage
import Testing

/// Failures at chosen places, each of which once lost or endangered something.
@Suite struct EventLogFaultTests {
    private func open(_ disk: SimulatedFileSystem, seed: UInt64 = 7) throws -> EventLog {
        var environment = Environment.simulated(seed: 1, fileSystem: disk)
        environment.random = SeededRandom(seed: seed)
        return try EventLog.open(at: LogScript.path, in: environment, sizes: LogScript.sizes)
    }

    private func rebooted(_ disk: SimulatedFileSystem) -> Environment {
        Environment.simulated(seed: 1, fileSystem: disk).rebooted(fileSystem: disk, seed: 9)
    }

    @Test func aFailedSyncIsReportedAndTheLogGoesOnUnderAnotherName() throws {
        let (disk, script) = try LogScript.initial()
        let log = try open(disk)
        let replica = log.replica
        try script.commit([[10]], to: log)
        disk.inject(Fault(at: 0, of: .sync, effect: .losesUnsynced))
        script.attempt([[20]], log)
        #expect(script.unknown == 1)
        #expect(log.replica != replica)
        try script.commit([[30]], to: log)
        try script.check(log)
        try script.checkRecovery(of: disk.crash(keeping: .none), in: rebooted(disk.crash(keeping: .none)))
        disk.killProcess()
        try script.checkRecovery(of: disk, in: .simulated(seed: 1, fileSystem: disk))
    }

    /// The segment is sealed and the next one is there, but not in the manifest: what is written next must not go behind the seal.
    @Test(arguments: [
        Fault(at: 0, of: .rename), Fault(at: 1, of: .rename), Fault(at: 0, of: .syncDirectory),
        Fault(at: 0, of: .syncDirectory, effect: .losesUnsynced), Fault(at: 1, of: .syncDirectory, effect: .losesUnsynced),
    ])
    func aRollThatFailsHalfwayIsTakenUpAgain(_ fault: Fault) throws {
        let (disk, script) = try LogScript.initial()
        let log = try open(disk)
        try script.commit([[8000]], to: log)
        disk.inject(fault)
        script.attempt([[14_000]], log)
        #expect(script.failed == 1)
        #expect(disk.failureCount == 1)
        disk.clearFaults()
        try script.commit([[10]], to: log)
        try script.commit([[9000]], to: log)
        try script.check(log, "in the log that failed")
        disk.killProcess()
        let image = disk.crash(keeping: .none)
        try script.checkRecovery(of: image, in: rebooted(image))
        try script.checkRecovery(of: disk, in: .simulated(seed: 1, fileSystem: disk))
    }

    /// Two syncs of directories fail, one after the other: the segment that the manifest names since the first one stays.
    @Test(arguments: [true, false]) func aSegmentThatTheManifestNamesIsNotTakenBack(_ isLockKept: Bool) throws {
        let (disk, script) = try LogScript.initial()
        let log = try open(disk)
        try script.commit([[8000]], to: log)
        let large = try log.begin()
        var dice = Dice(3)
        try large.add(part: TestPart.bytes(large.header) + TestPart.filler(14_000) { UInt8(truncatingIfNeeded: dice.next()) })
        _ = try log.finish(large)
        // While a transaction is open nobody looks again what is there.
        let kept = isLockKept ? try log.begin() : nil
        disk.inject(Fault(at: 1, of: .syncDirectory))
        #expect(throws: LogError.self) { try log.flush() }
        #expect(disk.failureCount == 1)
        disk.clearFaults()
        disk.inject(Fault(at: 0, of: .syncDirectory))
        if let kept { try log.abandon(kept) } else { script.attempt([[10]], log) }
        _ = try? log.flush()
        disk.clearFaults()
        for image in [disk.crash(keeping: .none), disk.crash(keeping: .all)] {
            try script.checkRecovery(of: image, in: rebooted(image))
        }
        let dead = disk.clone(sameIdentity: true)
        try script.checkRecovery(of: dead, in: .simulated(seed: 1, fileSystem: dead))
        try script.commit([[20]], to: log)
        try script.check(log)
        try log.close()
        try LogVerifier.check(LogScript.path, in: .simulated(seed: 1, fileSystem: disk))
    }

    /// Wherever committing a large transaction fails, its file is there when the log names it, and else gone at once.
    @Test(arguments: Fault.everyWay) func aFailedCommitLeavesNoStageFile(_ way: Fault) throws {
        var fault = way
        for index in 0... {
            let (disk, script) = try LogScript.initial()
            let log = try open(disk)
            try script.commit([[10]], to: log)
            fault.index = index
            disk.inject(fault)
            script.attempt([[6000, 6000, 6000, 5000]], log)
            if disk.failureCount == 0 { break }
            disk.clearFaults()
            // A disk that fails at everything lets nothing be removed, and where the log stands is not known when it is read-only.
            guard !fault.isSticky || fault.operations != .all, log.failure == nil else { continue }
            let isThere = log.durableState.position.lastLSN > 2
            #expect(try disk.list(LogScript.path + "/staged").count == (isThere ? 1 : 0), "\(fault)")
            try script.commit([[20]], to: log)
            try script.check(log)
            try log.close()
            let image = disk.crash(keeping: .all)
            try LogVerifier.check(LogScript.path, in: .simulated(seed: 1, fileSystem: image))
        }
    }

    /// What failed and was taken back is not there again after the power went, for its stage file is gone.
    @Test func whatWasTakenBackDoesNotComeBack() throws {
        var tried = 0
        for size in [10, 3000, 5000, 9000] {
            for index in 0... {
                let (disk, script) = try LogScript.initial()
                let log = try open(disk)
                try script.commit([[10]], to: log)
                disk.inject(Fault(at: index, of: .write, with: .diskFull))
                script.attempt([[size], [6000, 6000, 6000, 5000]], log)
                guard disk.failureCount > 0 else { break }
                #expect(script.failed == 1)
                let entries = try LogVerifier.entries(log)
                for subset in UnsyncedSubset.every(of: disk.unsyncedCount) {
                    let image = disk.crash(keeping: subset)
                    let after = try EventLog.open(at: LogScript.path, in: rebooted(image), sizes: LogScript.sizes)
                    #expect(try LogVerifier.entries(after) == entries, "write \(index) with \(size) bytes, \(subset)")
                }
                tried += 1
            }
        }
        #expect(tried > 20)
    }

    /// A process dies in the middle of a write: killed over it, or after it could not take it back and gave the segment up.
    @Test(arguments: [true, false]) func aTornTailIsNeverWrittenOver(_ isKilled: Bool) throws {
        let (disk, script) = try LogScript.initial()
        let log = try open(disk)
        try script.commit([[10]], to: log)
        let (replica, ordinal) = (log.replica, log.durableState.position.ordinal)
        disk.inject(Fault(at: 0, of: .write, sticky: true, effect: .writesPrefix(700)))
        disk.inject(Fault(at: 0, of: .truncate, sticky: true))
        script.attempt([[3000]], log)
        #expect(script.unknown == 1)
        disk.killProcess()
        disk.clearFaults()
        // Who is killed over the write itself tells nobody.
        if isKilled { try disk.sharedPage(LogScript.path + "/SHARED", words: 512).store(0, at: 9) }
        let after = try open(disk, seed: 8)
        #expect(after.recovery.tail == .torn)
        #expect(after.durableState.position.ordinal == ordinal + 1)
        #expect(after.replica != replica)
        try script.commit([[20]], to: after)
        try script.check(after)
        try after.close()
        try LogVerifier.check(LogScript.path, in: .simulated(seed: 1, fileSystem: disk))
    }

    /// A process dies between the write and the sync of a commit: the next one shows it, and no power cut takes it away again.
    @Test func whatADeadProcessLeftUnsyncedIsDurableBeforeItIsShown() throws {
        let (disk, script) = try LogScript.initial()
        let log = try open(disk)
        try script.commit([[10]], to: log)
        let transaction = try log.begin()
        try transaction.add(part: TestPart.bytes(transaction.header))
        try log.finish(transaction)
        var left: SimulatedFileSystem?
        try log.flush { _ in left = disk.clone(sameIdentity: true) }
        let image = try #require(left)
        let after = try open(image, seed: 8)
        let shown = try LogVerifier.entries(after)
        #expect(shown.last?.sequence == transaction.header.sequence)
        let cut = image.crash(keeping: .none)
        let survivor = try EventLog.open(at: LogScript.path, in: rebooted(cut), sizes: LogScript.sizes)
        #expect(try LogVerifier.entries(survivor) == shown)
        try script.check(survivor)
    }

    /// What a transaction was computed from is gone, so it must not be committed without it.
    @Test func aTransactionThatFollowsAFailedCommitIsRefused() throws {
        let (disk, script) = try LogScript.initial()
        let log = try open(disk)
        try script.commit([[10]], to: log)
        func begin() throws -> OpenTransaction {
            let transaction = try log.begin()
            try transaction.add(part: TestPart.bytes(transaction.header))
            return transaction
        }
        for fault in [Fault(at: 0, of: .write, with: .diskFull), Fault(at: 0, of: .sync, effect: .losesUnsynced)] {
            _ = try log.finish(try begin())
            let follower = try begin()
            disk.inject(fault)
            #expect(throws: LogError.self) { try log.flush() }
            disk.clearFaults()
            #expect(throws: LogError.self, "\(fault)") { try log.finish(follower) }
            try log.flush()
            try script.commit([[20]], to: log)
        }
        try script.check(log)
        try log.close()
        try script.checkRecovery(of: disk, in: .simulated(seed: 1, fileSystem: disk))
    }

    /// A sync fails, and so does what should have come instead: neither the next process nor the next opening goes on in that file.
    @Test(arguments: [true, false]) func aSegmentThatWasGivenUpIsNotGoneOnWith(_ byAnotherProcess: Bool) throws {
        let (disk, script) = try LogScript.initial()
        let log = try open(disk)
        let other = try open(disk, seed: 8)
        try script.commit([[10]], to: log)
        let (replica, ordinal) = (log.replica, log.durableState.position.ordinal)
        disk.inject(Fault(at: 0, of: .sync, effect: .losesUnsynced))
        disk.inject(Fault(at: 0, of: .create, sticky: true))
        script.attempt([[20]], log)
        #expect(script.unknown == 1 && log.failure?.code == .readOnly)
        disk.clearFaults()
        if !byAnotherProcess { disk.killProcess() }
        let next = byAnotherProcess ? other : try open(disk, seed: 9)
        try script.commit([[30]], to: next)
        #expect(next.durableState.position.ordinal == ordinal + 1)
        #expect(next.replica != replica)
        try script.check(next)
        disk.killProcess()
        let image = disk.crash(keeping: .none)
        try script.checkRecovery(of: image, in: rebooted(image))
        try script.checkRecovery(of: disk, in: .simulated(seed: 1, fileSystem: disk))
    }

    /// What a full disk took of a large transaction is given back at once, and not with the next restart.
    @Test func aStagingThatFailsLeavesNoFile() throws {
        for index in 0..<6 {
            let (disk, script) = try LogScript.initial()
            let log = try open(disk)
            try script.commit([[10]], to: log)
            disk.inject(Fault(at: index, of: .write, with: .diskFull, effect: .writesPrefix(100)))
            script.attempt([[6000, 6000, 6000, 5000]], log)
            #expect(disk.failureCount == 1 && script.failed == 1, "write \(index)")
            disk.clearFaults()
            #expect(try disk.list(LogScript.path + "/tmp").isEmpty, "write \(index)")
            try log.flush()
            try script.commit([[20]], to: log)
            try script.check(log)
            try log.close()
        }
    }

    @Test func theLockIsGivenBackAfterAFailure() throws {
        let (disk, script) = try LogScript.initial()
        let log = try open(disk)
        let other = try open(disk, seed: 8)
        disk.inject(Fault(at: 0, of: .write, with: .diskFull))
        script.attempt([[20]], log)
        #expect(script.failed == 1)
        try script.commit([[30]], to: other)
        try script.commit([[40]], to: log)
        try script.check(log)
        try other.close()
        try log.close()
    }

    /// A process that opened the store long ago must not count watermarks from what it saw then.
    @Test func aSecondProcessUnmarksWhatTheFirstMarkedClean() throws {
        let (disk, script) = try LogScript.initial()
        let old = try open(disk)
        let young = try open(disk, seed: 8)
        try script.commit([[10]], to: young)
        try young.close()
        _ = try old.begin()
        let image = disk.crash(keeping: .none)
        let report = try script.checkRecovery(of: image, in: rebooted(image))
        #expect(report.wasUnclean && report.newReplica != nil)
    }

    /// Ids may have been given out before the power went, though nothing was committed.
    @Test func aSequenceTakenAfterACleanCloseIsNotTakenAgain() throws {
        let (disk, script) = try LogScript.initial()
        let log = try open(disk)
        _ = try log.begin()
        let image = disk.crash(keeping: .none)
        let report = try script.checkRecovery(of: image, in: rebooted(image))
        #expect(report.wasUnclean && report.newReplica != nil)
    }

    /// A file is synced no more once that failed, whatever was to be made durable: its end is noted by whom it befell.
    @Test(arguments: [true, false]) func aWatermarkWhoseSyncFailsEndsTheSegment(_ isClosing: Bool) throws {
        let (disk, script) = try LogScript.initial()
        let log = try open(disk)
        if isClosing { try script.commit([[10]], to: log) }
        let before = log.durableState.position
        disk.inject(Fault(at: 0, of: .sync, effect: .losesUnsynced))
        #expect(throws: LogError.self) { if isClosing { try log.close() } else { _ = try log.begin() } }
        let path = StoreLayout(root: LogScript.path).manifest
        #expect(try Manifest(disk.readWhole(path, limit: 1 << 20), path: path).end(of: before.ordinal)?.end == before.offset)
        if !isClosing {
            try script.commit([[20]], to: log)
            try script.check(log)
            #expect(log.durableState.position.ordinal == before.ordinal + 1)
        }
        #expect(disk.failureCount == 1)
        disk.killProcess()
        let image = disk.crash(keeping: .none)
        try script.checkRecovery(of: image, in: rebooted(image))
        try script.checkRecovery(of: disk, in: .simulated(seed: 1, fileSystem: disk))
    }

    /// What the store was called before is said by the first transaction that says anything.
    @Test func theFormerIdIsNotLostWithAVoidTransaction() throws {
        let (disk, script) = try LogScript.initial()
        let copy = disk.clone(sameIdentity: false)
        var log = try open(copy)
        let former = try #require(script.acknowledged.last?.origin)
        for round in 0..<3 {
            let transaction = try log.begin()
            #expect(transaction.former == former && transaction.header.sequence == UInt64(round) + 1)
            try log.abandon(transaction)
            try log.flush()
            if round == 1 {
                try log.close()
                log = try open(copy, seed: 8)
            }
        }
        let other = try open(copy, seed: 9)
        try script.commit([[10]], to: other)
        for log in [log, other] {
            let next = try log.begin()
            #expect(next.former == nil)
            try log.abandon(next)
            try log.flush()
        }
        try script.check(log)
        try other.close()
        try log.close()
    }

    @Test func theSequencesOfADeadProcessBecomeVoid() throws {
        let (disk, script) = try LogScript.initial()
        let log = try open(disk)
        let transaction = try log.begin()
        disk.killProcess()
        let after = try open(disk, seed: 8)
        #expect(after.replica == transaction.origin)
        try script.commit([[10]], to: after)
        #expect(script.acknowledged.last?.sequence == transaction.header.sequence + 1)
        try script.check(after)
        #expect(try LogVerifier.entries(after).count == 3)
        try after.close()
    }

    @Test func aSpentCounterThatCannotBeTrueCostsAnIdAndNotAMillionVoids() throws {
        let (disk, script) = try LogScript.initial()
        let log = try open(disk)
        let page = try disk.sharedPage(LogScript.path + "/SHARED", words: 512)
        page.store(1 << 40, at: 8)
        let replica = log.replica
        try script.commit([[10]], to: log)
        #expect(log.replica != replica)
        #expect(try LogVerifier.entries(log).count == 2)
        try log.close()
    }

    @Test func aCopyTakesANewId() throws {
        let (disk, script) = try LogScript.initial()
        let log = try open(disk)
        let copy = disk.clone(sameIdentity: false)
        let report = try script.checkRecovery(of: copy, in: .simulated(seed: 3, fileSystem: copy))
        #expect(report.newReplica != nil)
        try log.close()
    }

    /// The cache may still show what the device has lost: the segment is given up by whoever comes next, too.
    @Test func aSegmentWhoseSyncFailedIsNotTakenUpByAnotherProcess() throws {
        let (disk, script) = try LogScript.initial()
        let log = try open(disk)
        try script.commit([[10]], to: log)
        disk.inject(Fault(at: 0, of: .sync, effect: .losesUnsynced))
        // The writer cannot mend it, since it cannot open the file again.
        disk.inject(Fault(at: 0, of: .open))
        script.attempt([[20]], log)
        #expect(script.unknown == 1 && log.failure?.code == .readOnly)
        let other = try open(disk, seed: 8)
        try script.commit([[30]], to: other)
        #expect(other.durableState.position.ordinal == log.durableState.position.ordinal + 1)
        try script.check(other)
        disk.killProcess()
        let image = disk.crash(keeping: .none)
        try script.checkRecovery(of: image, in: rebooted(image))
        try script.checkRecovery(of: disk, in: .simulated(seed: 1, fileSystem: disk))
    }

    /// Before a watermark that says all is closed there may be an index to write, and its sync fails like any other.
    @Test(arguments: [true, false]) func anIndexWhoseSyncFailsEndsTheSegment(_ isMended: Bool) throws {
        let (disk, script) = try LogScript.initial()
        var environment = Environment.simulated(seed: 1, fileSystem: disk)
        environment.random = SeededRandom(seed: 7)
        let log = try EventLog.open(at: LogScript.path, in: environment)
        try script.commit([[150_000], [150_000]], to: log)
        disk.inject(Fault(at: 0, of: .sync, effect: .losesUnsynced))
        if !isMended { disk.inject(Fault(at: 0, of: .open)) }
        #expect(throws: LogError.self) { try log.close() }
        #expect(disk.failureCount == (isMended ? 1 : 2))
        disk.clearFaults()
        environment.random = SeededRandom(seed: 8)
        let other = try EventLog.open(at: LogScript.path, in: environment)
        try script.commit([[30]], to: other)
        disk.killProcess()
        let image = disk.crash(keeping: .none)
        try script.checkRecovery(of: image, in: rebooted(image))
        try script.checkRecovery(of: disk, in: .simulated(seed: 1, fileSystem: disk))
    }

    @Test func theLockIsGivenBackWhenATransactionIsAbandonedAfterAFailure() throws {
        let (disk, _) = try LogScript.initial()
        let log = try open(disk)
        let first = try log.begin()
        try first.add(part: TestPart.bytes(first.header))
        try log.finish(first)
        let second = try log.begin()
        disk.inject(Fault(at: 0, of: .sync, effect: .losesUnsynced))
        disk.inject(Fault(at: 0, of: .open))
        #expect(throws: LogError.self) { try log.flush() }
        #expect(log.failure?.code == .readOnly)
        #expect(throws: LogError.self) { try log.abandon(second) }
        let lock = try disk.open(LogScript.path + "/LOCK", .readWrite)
        #expect(try lock.tryLock())
        lock.close()
    }

    /// Where the manifest ends a segment, nothing is written behind, though no next segment is there.
    @Test func aLastSegmentThatTheManifestEndsIsNotGoneOnIn() throws {
        let (disk, script) = try LogScript.initial()
        let log = try open(disk)
        let end = log.durableState.position
        try log.close()
        let path = StoreLayout(root: LogScript.path).manifest
        var manifest = try Manifest(disk.readWhole(path, limit: 1 << 20), path: path)
        manifest.ends.append(Manifest.End(ordinal: end.ordinal, end: end.offset))
        try disk.replace(path, with: manifest.encode())

        let again = try open(disk, seed: 8)
        try script.commit([[10]], to: again)
        #expect(again.durableState.position.ordinal == end.ordinal + 1)
        disk.killProcess()
        let image = disk.crash(keeping: .none)
        try script.checkRecovery(of: image, in: rebooted(image))
        try script.checkRecovery(of: disk, in: .simulated(seed: 1, fileSystem: disk))
    }

    /// An index may be as long as to put the footer exactly where a next group would begin.
    @Test func aFooterAtTheBeginningOfABlockIsACleanEnd() throws {
        let disk = SimulatedFileSystem()
        let script = LogScript()
        let log = try EventLog.create(at: LogScript.path, in: .simulated(seed: 1, fileSystem: disk))
        try script.commit([[10]], to: log)
        let dice = SeededRandom(seed: 5)
        var isFit = false
        for _ in 0..<400 where !isFit {
            let origin = ReplicaID(from: dice)
            let header = TransactionHeader(
                origin: origin, sequence: 1, timestamp: Timestamp(milliseconds: 1, counter: 0), author: "", context: [])
            let batch = Batch(
                origin: origin, firstSequence: 1, previousChain: Chain.start(dataset: log.dataset, origin: origin),
                transactions: [PartBytes(TestPart.bytes(header))])
            _ = try log.receive(batch)
            try log.flush()
            let length = Frame(.index, body: log.durableState.index.encode()).stored.count + 64
            isFit = length % 4096 > 4096 - 64
        }
        try #require(isFit)
        let end = log.durableState.position
        let path = StoreLayout(root: LogScript.path).segment(ordinal: end.ordinal, firstLSN: 1)
        disk.inject(Fault(at: 0, of: .rename))
        script.attempt([[1_000_000]], log)
        let size = try #require(try disk.attributes(of: path)?.size)
        #expect(disk.failureCount == 1 && size % 4096 == 64)
        disk.killProcess()
        let image = disk.crash(keeping: .none)
        let report = try script.checkRecovery(of: image, in: rebooted(image))
        #expect(report.tail == .clean && report.quarantined == nil)
        #expect(try script.checkRecovery(of: disk, in: .simulated(seed: 1, fileSystem: disk)).isEmpty)
    }
}
