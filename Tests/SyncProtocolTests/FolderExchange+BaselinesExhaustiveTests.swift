import EventLog
import Simulation
import Storage
import SyncProtocol
import Testing

/// The power goes, calls fail, while a replica publishes a baseline and removes what it stands for: nobody comes to lack anything.
@Suite struct FolderExchangeBaselinesExhaustiveTests {
    #if DEBUG
    private static let stride = 23
    #else
    private static let stride = 1
    #endif

    /// A machine with the folder and the store of A, which has trimmed twice and published a baseline once; B has acknowledged some of it and
    /// written something, C comes new.
    private struct Scene {
        let machine: SimulatedFileSystem
        let second: SimulatedFileSystem
        let dataset: DatasetID
        /// How far A had come: what all must come to have.
        let names: [String]

        init() throws {
            machine = try TestReplica.sharedDisk()
            let environment = Environment.simulated(seed: 1, fileSystem: machine)
            try EventLog.create(at: TestReplica.path, in: environment, sizes: TestReplica.sizes).close()
            let a = try TestReplica(1, opening: environment, over: machine)
            dataset = a.log.dataset
            let b = try TestReplica(2, joining: dataset, over: machine)
            for replica in [a, b] { try replica.sync() }
            for _ in 0..<3 { try a.write() }
            for replica in [a, b, a] { try replica.sync() }
            try LogTrim.trim(a.log)
            try a.sync()
            try b.write()
            try b.sync()
            for _ in 0..<2 { try a.write() }
            for replica in [a, b] { try replica.sync() }
            try a.write()
            try a.sync()
            // B has all but the last.
            try LogTrim.trim(a.log)
            try a.write()
            names = a.names()
            try a.log.close()
            try b.log.close()
            second = try #require(b.environment.fileSystem as? SimulatedFileSystem)
        }

        func sync(on disk: SimulatedFileSystem) throws {
            let a = try TestReplica(3, opening: .simulated(seed: 1, fileSystem: disk), over: disk)
            try a.sync()
            // What all have by now is removed in a second step.
            let b = try TestReplica(5, opening: .simulated(seed: 2, fileSystem: second.clone(sameIdentity: true)), over: disk)
            try b.sync()
            try b.log.close()
            try a.sync()
            try a.log.close()
        }

        func check(_ image: SimulatedFileSystem, seed: UInt64) throws {
            let b = try TestReplica(5, opening: .simulated(seed: 2, fileSystem: second.clone(sameIdentity: true)), over: image)
            // What B lacks is there without A: as files, or where its acknowledgement outlived it, as a baseline.
            let early = try b.exchange.receive()
            guard early.skipped.isEmpty, early.waiting == 0 else { throw Wrong("B found \(early)") }
            let a = try TestReplica(
                4 &+ seed, opening: Environment.simulated(seed: 1, fileSystem: image).rebooted(seed: seed), over: image)
            let c = try TestReplica(6, joining: dataset, over: image)
            for _ in 0..<3 {
                for replica in [a, b, c] {
                    let report = try replica.sync()
                    guard report.skipped.isEmpty else { throw Wrong("afterwards \(report)") }
                }
            }
            guard a.names() == names, b.names() == names, c.names() == names else {
                throw Wrong("A has \(a.names()), B \(b.names()), C \(c.names()), and not \(names)")
            }
            for replica in [a, b, c] {
                guard try replica.sync().isQuiet else { throw Wrong("there is always something to do") }
                try replica.log.close()
            }
            let tables = try image.exchangeFiles(dataset, endingIn: ".strdb")
            guard tables.count == 1, try TestReplica.leftovers(on: image).isEmpty else { throw Wrong("left over: \(tables)") }
        }
    }

    private struct Wrong: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    @Test func aPowerCutAtAnyStep() throws {
        let scene = try Scene()
        var (seen, looked) = (0, 0)
        _ = try forEachPowerCut(from: scene.machine, seeds: 2, limit: 4) { disk in
            try scene.sync(on: disk)
        } verify: { image, _ in
            seen += 1
            guard seen % Self.stride == 0 else { return }
            looked += 1
            try scene.check(image, seed: UInt64(seen))
        }
        #expect(seen > 100 && looked > 5)
        print("power cuts of a baseline's publication: \(seen) images, \(looked) looked at")
    }

    @Test func aFailureOfAnyCall() throws {
        let scene = try Scene()
        var (seen, looked) = (0, 0)
        let tried = try forEachFailure(
            from: scene.machine,
            faults: [
                Fault(at: 0), Fault(at: 0, sticky: true), Fault(at: 0, of: .write, with: .diskFull, effect: .writesPrefix(1)),
                Fault(at: 0, of: [.sync, .syncDirectory], effect: .losesUnsynced),
            ]
        ) { disk in
            try scene.sync(on: disk)
        } verify: { disk, _ in
            seen += 1
            guard seen % Self.stride == 0 else { return }
            looked += 1
            try scene.check(disk.clone(sameIdentity: true), seed: UInt64(seen))
            try scene.check(disk.crash(keeping: .none), seed: UInt64(seen) + 1)
        }
        #expect(tried > 100 && looked > 3)
        print("failing calls of a baseline's publication: \(tried) tried, \(looked) looked at")
    }
}
