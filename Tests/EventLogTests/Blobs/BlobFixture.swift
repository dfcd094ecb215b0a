import EventLog
import Simulation
import Storage
import Testing

/// Content, sources and stores for tests of blobs.
enum BlobFixture {
    /// Bytes that differ from chunk to chunk; the known answers of `BlobHasherTests` are for these.
    static func content(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ ($0 >> 8) &* 7 &+ ($0 >> 16) &* 13) }
    }

    /// A source that gives `bytes` in pieces of at most `piece` bytes.
    static func source(_ bytes: [UInt8], piece: Int = 100_000) -> (inout MutableSpan<UInt8>) -> Int {
        var position = 0
        return { buffer in
            let count = min(piece, buffer.count, bytes.count - position)
            for index in 0..<count { buffer[index] = bytes[position + index] }
            position += count
            return count
        }
    }

    /// The directories of a store, durable.
    static func prepare(_ files: any FileSystem, root: String) throws -> StoreLayout {
        let layout = StoreLayout(root: root)
        for directory in layout.directories { try files.createDirectories(directory) }
        return layout
    }

    /// A simulated disk with an empty store at `/store`.
    static func disk() throws -> SimulatedFileSystem {
        let disk = SimulatedFileSystem()
        _ = try prepare(disk, root: "/store")
        return disk
    }

    static func store(_ files: SimulatedFileSystem, clock: SimulatedClock = SimulatedClock(now: 1_000)) -> BlobStore {
        BlobStore(
            StoreLayout(root: "/store"), in: .simulated(seed: 1, fileSystem: files, clock: clock), concurrently: false)
    }

    static func read(_ store: BlobStore, _ id: BlobID) throws -> [UInt8] {
        let reader = try store.open(id)
        defer { reader.close() }
        var bytes: [UInt8] = []
        try reader.forEachChunk(verified: true) { chunk in
            for index in chunk.indices { bytes.append(chunk[index]) }
        }
        return bytes
    }
}

/// The file systems blobs lie on, each with an empty store.
enum BlobAdapter: String, CaseIterable {
    case posix, inMemory, inMemoryOneThread

    func run(_ body: (BlobStore, StoreLayout, any FileSystem) throws -> Void) throws {
        let environment = self == .posix ? Environment.system : .inMemory()
        let files = environment.fileSystem
        let root = "/tmp/strandline-\(Digest128.hex(SystemRandom().next()))"
        let layout = try BlobFixture.prepare(files, root: root)
        defer { try? files.removeTree(root) }
        let store = BlobStore(layout, in: environment, concurrently: self != .inMemoryOneThread)
        try body(store, layout, files)
        // Whatever the test did, it left no draft, and every file is what its name says.
        #expect(try files.list(layout.temporary) == [])
        #expect(try store.verify().isClean)
    }
}
