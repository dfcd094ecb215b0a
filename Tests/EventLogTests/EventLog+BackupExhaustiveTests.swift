import EventLog
import Simulation
import Storage
import Testing

/// A backup with the power cut at every change, and with every call failing.
@Suite struct EventLogBackupExhaustiveTests {
    private static let copy = "/copy"
    private static let draft = "/copy.backup-unfinished"

    private func initial() throws -> (disk: SimulatedFileSystem, script: LogScript) {
        let (disk, script) = try LogScript.initial()
        let environment = Environment.simulated(seed: 1, fileSystem: disk)
        let log = try EventLog.open(at: LogScript.path, in: environment, sizes: LogScript.sizes)
        for group in [[[3000]], [[6000, 6000, 6000, 5000]], [[20]]] { try script.commit(group, to: log) }
        let blob = try BlobStore(StoreLayout(root: LogScript.path), in: environment, concurrently: false).write(
            [UInt8](repeating: 1, count: 70_000))
        try LogScript.write([blob], to: log)
        try log.close()
        return (disk, script)
    }

    private func environment(_ disk: SimulatedFileSystem, seed: UInt64 = 5) -> Environment {
        Environment.simulated(seed: 1).rebooted(fileSystem: disk, seed: seed)
    }

    private func backup(_ disk: SimulatedFileSystem) throws {
        let log = try EventLog.open(
            at: LogScript.path, in: .simulated(seed: 1, fileSystem: disk), mode: .readOnly, sizes: LogScript.sizes)
        try log.backup(to: Self.copy)
    }

    /// Nothing or a whole copy, and the original as it was; another backup then succeeds.
    ///
    /// Returns whether it is there.
    private func check(_ disk: SimulatedFileSystem, _ script: LogScript) throws -> Bool {
        try LogVerifier.check(LogScript.path, in: environment(disk))
        let isThere = try disk.attributes(of: Self.copy) != nil
        if !isThere { try backup(disk) }
        let found = try LogVerifier.check(Self.copy, in: environment(disk))
        #expect(found.blobs == 1 && found.stages == 1 && found.transactions == script.acknowledged.count + 1)
        let copy = try EventLog.open(at: Self.copy, in: environment(disk), sizes: LogScript.sizes)
        try script.check(copy)
        try copy.close()
        return isThere
    }

    @Test func aPowerCutLeavesNothingOrAWholeBackup() throws {
        let (disk, script) = try initial()
        var (none, whole) = (0, 0)
        try forEachPowerCut(from: disk, seeds: 3, limit: 12) { disk in
            try backup(disk)
        } verify: { image, _ in
            if try check(image, script) { whole += 1 } else { none += 1 }
        }
        #expect(none > 20 && whole > 0)
        print("backups cut by the power: \(none) with nothing, \(whole) whole")
    }

    @Test func aFailureLeavesNothingOrAWholeBackup() throws {
        let (disk, script) = try initial()
        var failure: (any Error)?
        var cleaned = 0
        let tried = try forEachFailure(from: disk) { disk in
            failure = nil
            do {
                try backup(disk)
            } catch {
                failure = error
                // A failure that does not last is cleaned up after.
                if try disk.list("/") == ["store"] { cleaned += 1 }
                throw error
            }
        } verify: { disk, fault in
            guard failure == nil || failure is LogError else { throw LogVerifier.Wrong(description: "\(failure as Any)") }
            if fault.code == .diskFull, let failure = failure as? LogError, failure.code != .storage {
                throw LogVerifier.Wrong(description: "a full disk was reported as \(failure)")
            }
            for image in [disk.crash(keeping: .none), disk.crash(keeping: .all), disk] {
                if try check(image, script), failure != nil, image !== disk, fault.effect != .losesUnsynced {
                    // Only an error of the very last step may leave the whole.
                    #expect(fault.operations.contains(.syncDirectory))
                }
            }
        }
        #expect(tried > 100 && cleaned > 20)
        print("backups with a failing call: \(tried), \(cleaned) left no trace")
    }
}
