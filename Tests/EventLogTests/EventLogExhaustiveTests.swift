import EventLog
import Simulation
import Storage
import Testing

/// The power cut at every change, and every call failing.
@Suite struct EventLogExhaustiveTests {
    /// How many power cuts are looked at; every one in an optimised build.
    #if DEBUG
    private static let stride = 23
    #else
    private static let stride = 1
    #endif

    /// The same machine after a power cut.
    private func rebooted(_ disk: SimulatedFileSystem, seed: UInt64 = 5) -> Environment {
        Environment.simulated(seed: 1).rebooted(fileSystem: disk, seed: seed)
    }

    @Test func nothingAcknowledgedIsLostInAPowerCut() throws {
        let (initial, start) = try LogScript.initial()
        var script = start
        var seen = 0
        var looked = 0
        var inside = 0
        var tails: [RecoveryReport.Tail: Int] = [:]
        try forEachPowerCut(from: initial, seeds: 3, limit: 12) { disk in
            script = LogScript(after: start)
            try script.run(on: disk)
        } verify: { image, _ in
            seen += 1
            guard seen % Self.stride == 0 else { return }
            looked += 1
            let copy = image.clone(sameIdentity: true)
            tails[try script.checkRecovery(of: image, in: rebooted(image)).tail, default: 0] += 1
            guard looked % 40 == 0 else { return }
            // And the power is cut again while the store is mended.
            inside += try forEachPowerCut(from: copy, seeds: 1, limit: 4) { disk in
                try EventLog.open(at: LogScript.path, in: rebooted(disk), sizes: LogScript.sizes).close()
            } verify: { image, _ in
                try script.checkRecovery(of: image, in: rebooted(image, seed: 6))
            }
        }
        #expect(looked > 20 && inside > 0)
        print("power cuts: \(seen) images, \(looked) opened, \(inside) more cut while mending; ends: \(tails)")
    }

    @Test func nothingAcknowledgedIsLostWhenCallsFail() throws {
        let (initial, start) = try LogScript.initial()
        var script = start
        var looked = 0
        var unknown = 0
        #if DEBUG
        let faults = [Fault(at: 0, sticky: true), Fault(at: 0, of: [.sync, .syncDirectory], effect: .losesUnsynced)]
        #else
        let faults = Fault.everyWay
        #endif
        let tried = try forEachFailure(from: initial, faults: faults) { disk in
            script = LogScript(after: start)
            try script.run(on: disk)
        } verify: { disk, _ in
            unknown += script.unknown
            looked += 1
            guard looked % Self.stride == 0 || script.unknown > 0 else { return }
            for subset in [UnsyncedSubset.none, .all, .random(seed: 1)] {
                let image = disk.crash(keeping: subset)
                try script.checkRecovery(of: image, in: rebooted(image))
            }
            // Nothing but the process died: the page and the cache are still there.
            var next = Environment.simulated(seed: 1, fileSystem: disk)
            next.random = SeededRandom(seed: 11)
            try script.checkRecovery(of: disk, in: next)
        }
        #expect(tried > 100 && unknown > 0)
        print("failures: \(tried) tried, \(unknown) commits of unknown outcome")
    }

    @Test func creatingAStoreHappensOrNot() throws {
        let images = try forEachPowerCut { disk in
            _ = try EventLog.create(at: LogScript.path, in: .simulated(seed: 1, fileSystem: disk), sizes: LogScript.sizes)
        } verify: { image, _ in
            let environment = rebooted(image)
            let log: EventLog
            do throws(LogError) {
                log = try EventLog.open(at: LogScript.path, in: environment, sizes: LogScript.sizes)
            } catch {
                guard error.code == .notFound || error.code == .notAStore else { throw error }
                log = try EventLog.create(at: LogScript.path, in: environment, sizes: LogScript.sizes)
            }
            let script = LogScript()
            try script.commit([[10]], to: log)
            try script.check(log)
            try log.close()
        }
        #expect(images > 20)
    }
}
