import EventLog
import Simulation
import Storage
import SyncProtocol
import Testing

/// The power goes, calls fail: the next sync makes good what was left, and nobody ever sees half a file.
@Suite struct FolderExchangeExhaustiveTests {
    #if DEBUG
    private static let stride = 17
    #else
    private static let stride = 1
    #endif

    /// A machine with the store of A and the folder, in which B has published; B's own disk.
    private struct Scene {
        let machine: SimulatedFileSystem
        let other: SimulatedFileSystem
        let dataset: DatasetID
        static let total = 7

        init() throws {
            machine = try TestReplica.sharedDisk()
            let environment = Environment.simulated(seed: 1, fileSystem: machine)
            try EventLog.create(at: TestReplica.path, in: environment, sizes: TestReplica.sizes).close()
            let a = try TestReplica(1, opening: environment, over: machine)
            dataset = a.log.dataset
            let b = try TestReplica(2, joining: dataset, over: machine)
            try b.write(blobs: [try b.blob(20)])
            try b.sync()
            try b.write(rows: 20, size: 60_000)
            try b.write()
            try b.sync()
            try a.write(blobs: [try a.blob(10), try a.blob(11)])
            try a.write(rows: 20, size: 60_000)
            for _ in 0..<2 { try a.write() }
            try a.log.close()
            try b.log.close()
            other = try #require(b.environment.fileSystem as? SimulatedFileSystem)
        }

        func sync(on disk: SimulatedFileSystem) throws {
            let a = try TestReplica(3, opening: .simulated(seed: 1, fileSystem: disk), over: disk)
            try a.sync()
            try a.log.close()
        }

        /// What is left must be enough for both to agree, with every file that has its name being whole.
        func check(_ image: SimulatedFileSystem, seed: UInt64) throws {
            let environment = Environment.simulated(seed: 1, fileSystem: image).rebooted(seed: seed)
            let b = try TestReplica(
                5, opening: .simulated(seed: 2, fileSystem: other.clone(sameIdentity: true)), over: image)
            let early = try b.exchange.receive()
            guard early.skipped.isEmpty, early.elsewhere == 0 else { throw Wrong("B found \(early)") }
            let a = try TestReplica(4 &+ seed, opening: environment, over: image)
            for _ in 0..<2 {
                for replica in [a, b] {
                    let report = try replica.sync()
                    guard report.skipped.isEmpty, report.elsewhere == 0, report.waiting == 0 else {
                        throw Wrong("afterwards \(report)")
                    }
                }
            }
            let (left, right) = (try a.contents(), try b.contents())
            guard left == right, left.count == Self.total else {
                throw Wrong("A has \(left), B has \(right)")
            }
            // A blob that could not be read when its transaction came is fetched on demand.
            let blobs = [UInt64(10), 11, 20].map { seed in
                BlobReference(id: BlobHasher.hash(SeededRandom(seed: seed).bytes(70_000).span), length: 70_000)
            }
            for replica in [a, b] {
                guard try replica.exchange.fetch(blobs).elsewhere == 0 else { throw Wrong("a blob is not to be had") }
                guard try replica.exchange.sync().isQuiet else { throw Wrong("there is always something to do") }
                for blob in blobs {
                    guard try replica.blobs.contains(blob.id) else { throw Wrong("blob \(blob.id) is missing") }
                }
                try replica.log.close()
            }
            let leftovers = try TestReplica.leftovers(on: image)
            guard leftovers.isEmpty else { throw Wrong("left in tmp: \(leftovers)") }
        }
    }

    private struct Wrong: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    @Test func aPowerCutAtAnyStep() throws {
        let scene = try Scene()
        var seen = 0
        var looked = 0
        _ = try forEachPowerCut(from: scene.machine, seeds: 2, limit: 4) { disk in
            try scene.sync(on: disk)
        } verify: { image, _ in
            seen += 1
            guard seen % (Self.stride * 3) == 0 || Self.stride == 1 else { return }
            looked += 1
            try scene.check(image, seed: UInt64(seen))
        }
        #expect(seen > 300 && looked > 5)
        print("power cuts of a sync: \(seen) images, \(looked) looked at")
    }

    @Test func aFailureOfAnyCall() throws {
        let scene = try Scene()
        var looked = 0
        var seen = 0
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
            guard seen % (Self.stride * 3) == 0 || Self.stride == 1 else { return }
            looked += 1
            // The process dies and starts again; and the machine does.
            try scene.check(disk.clone(sameIdentity: true), seed: UInt64(seen))
            try scene.check(disk.crash(keeping: .none), seed: UInt64(seen) + 1)
        }
        #expect(tried > 100 && looked > 3)
        print("failing calls of a sync: \(tried) tried, \(looked) looked at")
    }
}
