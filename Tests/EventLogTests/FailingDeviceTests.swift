import EventLog
import Faults
import Simulation
import Storage
import Synchronization
import Testing

/// A log on a disk that fails in the kernel, as `SimulatedFileSystem` says that disks do.
@Suite(.enabled(if: FailingDevice.obstacle == nil, "\(FailingDevice.obstacle ?? "")"))
struct FailingDeviceTests {
    /// From now on nothing can be written behind the end of the log.
    private func fail(_ device: FailingDevice, at log: EventLog, in path: String) throws {
        let position = log.durableState.position
        let name = try #require(try POSIXFileSystem().list(path + "/log").last)
        try device.fail("\(path)/log/\(name)", from: position.offset)
    }

    private func dropCaches(_ path: String) throws {
        let files = POSIXFileSystem()
        for name in try files.list(path) {
            let file = try files.open(Path.join(path, name), .read)
            file.dropCache()
            file.close()
        }
    }

    @Test(arguments: [10, 300_000]) func whatWasAcknowledgedOutlivesAFailedSync(_ size: Int) throws {
        let device = try FailingDevice()
        defer { #expect(throws: Never.self) { try device.remove() } }
        let path = device.path + "/store"
        let script = LogScript()
        let (replica, ordinal) = try failCommit(of: size, on: device, path, script)
        try device.heal()
        try dropCaches(path + "/log")
        do {
            let log = try EventLog.open(at: path, in: .system)
            #expect(log.durableState.position.ordinal == ordinal + 1 && log.replica != replica)
            try script.check(log, "after healing")
            for size in [10, 300_000, 900_000] { try script.commit([[size]], to: log) }
            try script.check(log, "after healing and writing")
            try log.close()
        }
        try LogVerifier.check(path, in: .system, "after healing")

        try device.remount()
        let again = try EventLog.open(at: path, in: .system)
        try script.check(again, "of what the device has")
        let chains = try LogVerifier.entries(again).map(\.chain)
        #expect(chains.count == script.acknowledged.count && Set(chains).count == chains.count, "nothing is there twice")
        try again.close()
        try LogVerifier.check(path, in: .system, "of what the device has")
    }

    /// Makes a store, and lets a commit of so many bytes fail.
    private func failCommit(
        of size: Int, on device: FailingDevice, _ path: String, _ script: LogScript
    ) throws -> (replica: ReplicaID, ordinal: UInt64) {
        let log = try EventLog.create(at: path, in: .system)
        for size in [100, 5000, 20] { try script.commit([[size]], to: log) }
        let (replica, ordinal, token) = (log.replica, log.durableState.position.ordinal, log.token)
        try fail(device, at: log, in: path)
        script.attempt([[size]], log)
        #expect(script.unknown == 1, "whether a commit whose sync failed is there cannot be said")
        try script.check(log, "after the failure")
        // No room for a new segment either, so nothing is taken any more: least of all on the file that failed.
        #expect(log.failure?.code == .readOnly)
        #expect { try script.commit([[10]], to: log) } throws: { ($0 as? LogError)?.code == .readOnly }
        #expect(log.token == token)
        try? log.close()
        return (replica, ordinal)
    }

    /// The disk is well again when the failure has been told: the same process goes on, in another file and under another id.
    @Test func aProcessGoesOnInAnotherFileOnceItCan() throws {
        let device = try FailingDevice()
        defer { #expect(throws: Never.self) { try device.remove() } }
        let path = device.path + "/store"
        let script = LogScript()
        // The device heals with the sync that failed, so that there is room for what comes instead.
        let isArmed = Flag()
        var environment = Environment.system
        environment.fileSystem = HookedFileSystem(
            POSIXFileSystem(), onFailedSync: { if isArmed.lower() { try? device.heal() } })
        do {
            let log = try EventLog.create(at: path, in: environment)
            try script.commit([[100]], to: log)
            let (replica, ordinal) = (log.replica, log.durableState.position.ordinal)
            try fail(device, at: log, in: path)
            isArmed.raise()
            script.attempt([[10]], log)
            #expect(script.unknown == 1 && log.failure == nil)
            #expect(log.durableState.position.ordinal == ordinal + 1 && log.replica != replica)
            for size in [10, 300_000] { try script.commit([[size]], to: log) }
            try script.check(log)
            try dropCaches(path + "/log")
            try script.check(log, "of what the device has")
            try log.close()
        }
        try device.remount()
        let again = try EventLog.open(at: path, in: .system)
        try script.check(again, "after a remount")
        #expect(try LogVerifier.entries(again).count == script.acknowledged.count)
        try again.close()
        try LogVerifier.check(path, in: .system, "after a remount")
    }
}

private final class Flag: Sendable {
    private let isUp = Atomic(false)

    func raise() { isUp.store(true, ordering: .sequentiallyConsistent) }

    /// Returns whether it was up.
    func lower() -> Bool { isUp.exchange(false, ordering: .sequentiallyConsistent) }
}
