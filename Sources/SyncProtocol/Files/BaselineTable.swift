import EventLog
import Storage

/// What is told of a baseline in a shared folder before its bodies are read: SPEC.md, section 10.5.
struct BaselineTable: Sendable, Equatable {
    /// Of the bodies, in order; they make the identity.
    var digests: [Digest128]
    /// Where the lines of transactions that it stands for end.
    var tips: [Tip]

    private static let magic = "STRDBTB1"
    private static let maximumSize = 64 << 20

    init(_ file: BaselineFile) throws(LogError) {
        digests = file.bodies.map(\.digest)
        tips = try file.frame().floor.filter { $0.sequence > 0 }.map { entry in
            Tip(origin: entry.branch.origin, position: BranchPosition(sequence: entry.sequence, chain: entry.chain))
        }
    }

    func encode(_ dataset: DatasetID) -> [UInt8] {
        ChecksummedFile.encode(magic: Self.magic) { writer in
            writer.digest(dataset.bits)
            writer.append(tips)
            writer.count(digests.count)
            for digest in digests { writer.digest(digest) }
        }
    }

    /// - Parameter entry: what its name says.
    /// - Throws: ``ExchangeDamage`` when it is not whole, or of another baseline.
    init(_ entry: BaselineEntry, in fileSystem: any FileSystem, dataset: DatasetID) throws(ExchangeDamage) {
        var reader = try ExchangeDamage.contents(
            of: entry.table, magic: Self.magic, limit: Self.maximumSize, in: fileSystem)
        (digests, tips) = try ExchangeDamage.wrap { () throws(StorageError) in
            guard try reader.digest() == dataset.bits else { throw .malformed("it belongs to another dataset") }
            let tips = try reader.allTips()
            var digests: [Digest128] = []
            for _ in 0..<(try reader.count(max: Self.maximumSize, minimumSize: 16)) { digests.append(try reader.digest()) }
            try reader.expectEnd()
            return (digests, tips)
        }
        guard digests.count == entry.bodies, BaselineIdentity.of(digests, dataset: dataset) == entry.identity else {
            throw ExchangeDamage("it is not the table of the baseline in its name")
        }
    }

    /// What it stands for, as if exchange files held all of it.
    func stretches(_ entry: BaselineEntry, dataset: DatasetID) -> [ExchangeEntry] {
        tips.map { tip in
            ExchangeEntry(
                replica: entry.replica, name: "", path: entry.table,
                stretch: Stretch(
                    origin: tip.origin, first: 1, last: tip.position.sequence,
                    before: Chain.start(dataset: dataset, origin: tip.origin), after: tip.position.chain),
                isLacking: false)
        }
    }
}

extension ExchangeDamage {
    /// A reader of what is in a small file of a shared folder, once its checksum holds.
    static func contents(
        of path: String, magic: String, limit: Int, in fileSystem: any FileSystem
    ) throws(ExchangeDamage) -> ByteReader {
        guard try fileSystem.isPlainFile(path) else { throw ExchangeDamage("it is no plain file, or gone again") }
        let bytes = try ExchangeDamage.wrap { () throws(StorageError) in try fileSystem.readWhole(path, limit: limit) }
        do throws(LogError) {
            return try ChecksummedFile.open(bytes, magic: magic, path: path)
        } catch {
            throw ExchangeDamage(
                error.code == .unsupportedVersion
                    ? "a newer version wrote it; use that one to read it" : "it is damaged, or not all of it has arrived")
        }
    }
}
