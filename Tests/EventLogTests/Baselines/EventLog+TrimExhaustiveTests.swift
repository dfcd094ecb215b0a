import EventLog
import Simulation
import Storage
import Testing

/// A trim with the power cut at every change, and with every call failing.
@Suite struct EventLogTrimExhaustiveTests {
    private func environment(_ disk: SimulatedFileSystem, seed: UInt64 = 5) -> Environment {
        Environment.simulated(seed: 1).rebooted(fileSystem: disk, seed: seed)
    }

    /// A log of several segments, trimmed once, with a large transaction below and one above.
    private func initial() throws -> (disk: SimulatedFileSystem, expected: [LogVerifier.Entry]) {
        let (disk, script) = try LogScript.initial()
        let log = try EventLog.open(
            at: LogScript.path, in: .simulated(seed: 1, fileSystem: disk), sizes: LogScript.sizes)
        try script.commit([[3000]], to: log)
        try LogTrim.trim(log)
        for group in [[[9000]], [[6000, 6000, 6000, 5000]], [[8000]], [[9000]], [[7000]], [[6000, 6000, 6000, 4000]]] {
            try script.commit(group, to: log)
        }
        try log.close()
        return (disk, script.acknowledged)
    }

    private func trim(_ disk: SimulatedFileSystem) throws {
        var first = Environment.simulated(seed: 1, fileSystem: disk)
        first.random = SeededRandom(seed: 2)
        let log = try EventLog.open(at: LogScript.path, in: first, sizes: LogScript.sizes)
        var vector = VersionVector()
        // All but the last.
        var reader = try LogReader(log)
        while let transaction = try reader.next(), transaction.lsn < log.durableState.position.lastLSN {
            vector.advance(transaction.branch.origin, to: transaction.sequence, chain: transaction.chain)
        }
        try LogTrim.trim(log, before: vector)
        try log.close()
    }

    /// Whether the floor has moved; whatever is there is whole, and goes on.
    private func check(
        _ disk: SimulatedFileSystem, _ environment: Environment, _ expected: [LogVerifier.Entry]
    ) throws -> Bool {
        let log = try EventLog.open(at: LogScript.path, in: environment, sizes: LogScript.sizes)
        let floor = try #require(try log.floor)
        let kept = try LogVerifier.entries(log, after: floor.frontLSN)
        guard kept == expected.filter({ $0.lsn > floor.frontLSN }) else {
            throw LogVerifier.Wrong(description: "above \(floor.frontLSN) there are \(kept)")
        }
        try LogTrim.write(2, to: log)
        #expect(try LogTrim.kept(log).count == kept.count + 2)
        try log.close()
        let found = try LogVerifier.check(LogScript.path, in: environment)
        // Nothing is left that nobody would ever remove.
        let leftovers = found.notes.filter { $0.path.contains("/log/") || $0.path.contains("/staged/") }
        #expect(leftovers.isEmpty, "\(leftovers)")
        return floor.frontLSN > 2
    }

    @Test func aPowerCutLeavesOneFloorOrTheOther() throws {
        let (disk, expected) = try initial()
        var (old, new) = (0, 0)
        try forEachPowerCut(from: disk, seeds: 2, limit: 8) { disk in
            try trim(disk)
        } verify: { image, _ in
            if try check(image, environment(image), expected) { new += 1 } else { old += 1 }
        }
        #expect(old > 20 && new > 5)
        print("trims cut by the power: \(old) with the old floor, \(new) with the new one")
    }

    @Test func aFailureLeavesOneFloorOrTheOther() throws {
        let (disk, expected) = try initial()
        var (old, new) = (0, 0)
        try forEachFailure(from: disk) { disk in
            try trim(disk)
        } verify: { disk, _ in
            for subset in [UnsyncedSubset.none, .all, .random(seed: 1)] {
                let image = disk.crash(keeping: subset)
                if try check(image, environment(image), expected) { new += 1 } else { old += 1 }
            }
            disk.clearFaults()
            var next = Environment.simulated(seed: 1, fileSystem: disk)
            next.random = SeededRandom(seed: 11)
            _ = try check(disk, next, expected)
        }
        #expect(old > 20 && new > 5)
        print("trims that failed: \(old) with the old floor, \(new) with the new one")
    }
}
