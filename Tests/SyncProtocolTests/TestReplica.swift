import EventLog
import Simulation
import Storage
import SyncProtocol
import Testing

/// A store on a disk of its own, with a view of a shared folder.
final class TestReplica {
    static let path = "/store"
    static let folder = "/shared"
    /// Small, so that a megabyte and a half is a staged transaction.
    static let sizes = LogSizes(stagingThreshold: 1 << 20)

    let environment: Environment
    let log: EventLog
    let blobs: BlobStore
    var exchange: FolderExchange
    private let dice: SeededRandom

    convenience init(
        _ seed: UInt64, joining dataset: DatasetID? = nil, over shared: any FileSystem, at folder: String = folder
    ) throws {
        let environment = Environment.simulated(seed: seed)
        try EventLog.create(at: Self.path, in: environment, dataset: dataset, sizes: Self.sizes).close()
        try self.init(seed, opening: environment, over: shared, at: folder)
    }

    init(
        _ seed: UInt64, opening environment: Environment, over shared: any FileSystem, at folder: String = folder
    ) throws {
        self.environment = environment
        dice = SeededRandom(seed: seed &* 1_000_003)
        log = try EventLog.open(at: Self.path, in: environment, sizes: Self.sizes)
        blobs = BlobStore(StoreLayout(root: Self.path), in: environment, concurrently: false)
        var outside = environment
        outside.fileSystem = shared
        outside.random = SeededRandom(seed: seed &+ 77)
        exchange = FolderExchange(folder, log: log, blobs: blobs, in: outside)
    }

    /// A disk with an empty folder.
    static func sharedDisk() throws -> SimulatedFileSystem {
        let disk = SimulatedFileSystem()
        try disk.createDirectory(folder)
        try disk.syncDirectory("/")
        return disk
    }

    /// Closes the store and opens it again, and a bytewise copy of it, on a machine that cannot tell.
    func copied(_ seed: UInt64, over shared: any FileSystem) throws -> (one: TestReplica, two: TestReplica) {
        try log.close()
        let files = try #require(environment.fileSystem as? SimulatedFileSystem)
        var copy = environment
        copy.fileSystem = files.clone(sameIdentity: true)
        return (try TestReplica(1, opening: environment, over: shared), try TestReplica(seed, opening: copy, over: shared))
    }

    /// Commits one transaction with `rows` objects, each with about `size` bytes that do not compress and `padding` that do, and some blobs.
    @discardableResult
    func write(
        rows: Int = 1, size: Int = 20, padding: Int = 0, blobs references: [BlobReference] = [], isDurable: Bool = true
    ) throws -> StoredPosition {
        let open = try log.begin(author: "test")
        let header = open.header
        let builder = try TransactionBuilder(
            origin: header.origin, sequence: header.sequence, timestamp: header.timestamp, author: header.author,
            context: header.context, sink: { try open.add(part: $0) })
        if let former = open.former { try builder.rename(former: former) }
        for _ in 0..<rows {
            let bytes = dice.bytes(size) + [UInt8](repeating: 7, count: padding)
            try builder.insert("Post", [PropertyValue(Property("content", .data), .data(bytes))])
        }
        for reference in references {
            try builder.insert("Photo", [PropertyValue(Property("image", .blob), .blob(reference))])
        }
        _ = try builder.finish()
        let position = StoredPosition(origin: header.origin, sequence: header.sequence, chain: open.chain)
        _ = try log.finish(open)
        if isDurable { try log.flush() }
        return position
    }

    /// A blob of `size` bytes, above what is kept inline.
    func blob(_ seed: UInt64, size: Int = 70_000) throws -> BlobReference {
        try blobs.write(SeededRandom(seed: seed).bytes(size))
    }

    /// Every transaction, proved by its chain; ascending, so that equal sets are equal arrays.
    func contents() throws -> [StoredPosition] {
        var reader = try LogReader(log)
        var found: [StoredPosition] = []
        while let transaction = try reader.next() {
            var digests: [Digest128] = []
            try log.forEachPart(of: transaction) { digests.append($0.digest) }
            #expect(Chain.step(transaction.previousChain, digests: digests) == transaction.chain)
            found.append(
                StoredPosition(
                    origin: transaction.branch.origin, sequence: transaction.sequence, chain: transaction.chain))
        }
        #expect(Set(found).count == found.count)
        return found.sorted()
    }

    /// The names of all branches and how far each has come: alike on replicas that agree.
    func names() -> [String] {
        log.durableState.branches.positions(applied: true).map { "\($0.name) \($0.position.sequence) \($0.position.chain)" }
    }

    /// What was left in the directory for unfinished files, the lock of what peers have apart.
    func leftovers() throws -> [String] { try Self.leftovers(on: environment.fileSystem) }

    static func leftovers(on disk: any FileSystem) throws -> [String] {
        try disk.list(path + "/tmp").filter { !$0.hasSuffix(".lock") }
    }

    @discardableResult
    func sync() throws -> ExchangeReport { try exchange.sync() }

    /// Closes the store and checks that it opens again with nothing to mend.
    func close() throws {
        let before = try contents()
        try log.close()
        let reopened = try EventLog.open(at: Self.path, in: environment, sizes: Self.sizes)
        #expect(reopened.recovery.isEmpty)
        var reader = try LogReader(reopened)
        var count = 0
        while try reader.next() != nil { count += 1 }
        #expect(count == before.count)
        try reopened.close()
    }
}

/// What identifies a transaction and proves its bytes.
struct StoredPosition: Hashable, Comparable, CustomStringConvertible {
    var origin: ReplicaID
    var sequence: UInt64
    var chain: Digest128

    static func < (a: Self, b: Self) -> Bool { (a.origin, a.sequence, a.chain) < (b.origin, b.sequence, b.chain) }
    var description: String { "\(origin)/\(sequence)" }
}

extension SeededRandom {
    func bytes(_ count: Int) -> [UInt8] {
        var writer = ByteWriter(capacity: count + 8)
        while writer.count < count { writer.u64(next()) }
        return Array(writer.bytes.prefix(count))
    }
}

extension SimulatedFileSystem {
    /// The files of a kind in the subfolder of a replica, or of all.
    func exchangeFiles(
        _ dataset: DatasetID, of replica: ReplicaID? = nil, endingIn suffix: String = ".strdx"
    ) throws -> [String] {
        let root = "\(TestReplica.folder)/\(dataset)/r"
        guard try attributes(of: root) != nil else { return [] }
        return try list(root).filter { replica == nil || $0 == replica?.description }.flatMap { directory in
            try list("\(root)/\(directory)").filter { $0.hasSuffix(suffix) }.map { "\(root)/\(directory)/\($0)" }
        }
    }

    func contents(of path: String) throws -> [UInt8] {
        let file = try open(path, .read)
        defer { file.close() }
        return try file.bytes(at: 0, count: Int(try file.size()))
    }

    /// Puts a file there as a foreign program would, whatever it is.
    func put(_ bytes: [UInt8], at path: String) throws {
        let file = try open(path, .create)
        defer { file.close() }
        try file.truncate(to: 0)
        try file.write(bytes.span, at: 0)
    }
}
