import EventLog
import Simulation
import Storage
import Testing

/// Joining a baseline with the power cut at every change, and with every call failing.
@Suite struct BaselineReceiverExhaustiveTests {
    private func environment(_ disk: SimulatedFileSystem, seed: UInt64 = 5) -> Environment {
        Environment.simulated(seed: 1).rebooted(fileSystem: disk, seed: seed)
    }

    private func initial() throws -> (disk: SimulatedFileSystem, floor: VersionVector) {
        let disk = SimulatedFileSystem()
        let simulated = Environment.simulated(seed: 1, fileSystem: disk)
        let source = try EventLog.create(at: "/source", in: simulated, sizes: LogScript.sizes)
        try LogTrim.write(5, to: source, size: 2000)
        try LogTrim.trim(source)
        let target = try EventLog.create(at: "/target", in: simulated, dataset: source.dataset, sizes: LogScript.sizes)
        try LogTrim.write(3, to: target)
        for each in [source, target] { try each.close() }
        return (disk, source.receivedVector)
    }

    private func join(_ disk: SimulatedFileSystem, in environment: Environment) throws -> Bool {
        let source = try EventLog.open(at: "/source", in: environment, mode: .readOnly)
        let target = try EventLog.open(at: "/target", in: environment, sizes: LogScript.sizes)
        let file = try #require(try source.baselineFiles.first)
        var receiver = try BaselineReceiver(target, identity: file.identity, digests: file.bodies.map(\.digest))
        while let number = receiver.next { try receiver.add(number, file.frame(number)) }
        let isJoined = try receiver.finish()
        try target.close()
        return isJoined
    }

    /// Whether it is joined; if not, it can be.
    private func check(_ disk: SimulatedFileSystem, _ environment: Environment, _ floor: VersionVector) throws -> Bool {
        let log = try EventLog.open(at: "/target", in: environment, sizes: LogScript.sizes)
        let isJoined = try log.floor != nil
        #expect(log.receivedVector.covers(floor) == isJoined)
        #expect(try LogTrim.kept(log) == [1, 2, 3])
        try log.close()
        try LogVerifier.check("/target", in: environment)
        #expect(try join(disk, in: environment) == !isJoined)
        let again = try EventLog.open(at: "/target", in: environment, sizes: LogScript.sizes)
        #expect(again.receivedVector.covers(floor))
        try LogTrim.write(1, to: again)
        #expect(try LogTrim.kept(again) == [1, 2, 3, 4])
        try again.close()
        try LogVerifier.check("/target", in: environment)
        return isJoined
    }

    @Test func aPowerCutLeavesAllOfItOrNothing() throws {
        let (disk, floor) = try initial()
        var (none, all) = (0, 0)
        try forEachPowerCut(from: disk, seeds: 2, limit: 8) { disk in
            _ = try join(disk, in: .simulated(seed: 1, fileSystem: disk))
        } verify: { image, _ in
            if try check(image, environment(image), floor) { all += 1 } else { none += 1 }
        }
        #expect(none > 20 && all > 2)
    }

    @Test func aFailureLeavesAllOfItOrNothing() throws {
        let (disk, floor) = try initial()
        var (none, all) = (0, 0)
        try forEachFailure(from: disk) { disk in
            _ = try join(disk, in: .simulated(seed: 1, fileSystem: disk))
        } verify: { disk, _ in
            for subset in [UnsyncedSubset.none, .all, .random(seed: 1)] {
                let image = disk.crash(keeping: subset)
                if try check(image, environment(image), floor) { all += 1 } else { none += 1 }
            }
        }
        #expect(none > 20 && all > 2)
    }
}
