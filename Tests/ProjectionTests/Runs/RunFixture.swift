import EventLog
import Projection
import Simulation
import Storage

/// Runs in a simulated file system.
struct RunFixture {
    static let path = "/runs/1.run"

    let files: SimulatedFileSystem
    let cache: BlockCache

    init(budget: Int = 64 << 20) throws {
        files = SimulatedFileSystem()
        try files.createDirectory("/runs")
        cache = BlockCache(budget: budget)
    }

    @discardableResult
    func write(
        _ records: [(id: ObjectID, record: ObjectRecord)], to path: String = Self.path,
        terms: (ObjectID, ObjectRecord) -> RunTerms = { id, _ in Self.terms(id) }
    ) throws -> RunSummary {
        let writer = try RunWriter(fileSystem: files, path: path)
        for (id, record) in records { try writer.append(id, .whole(record), terms: terms(id, record)) }
        return try writer.finish()
    }

    func open(_ path: String = Self.path) throws -> Run { try Run(fileSystem: files, path: path, cache: cache) }

    func bytes(_ path: String = Self.path) throws -> [UInt8] { try files.readWhole(path, limit: 1 << 30) }

    /// Puts other bytes in the place of a file.
    func overwrite(_ path: String = Self.path, with bytes: [UInt8]) throws {
        let file = try files.open(path, .readWrite)
        defer { file.close() }
        try file.truncate(to: UInt64(bytes.count))
        try file.write(bytes.span, at: 0)
    }

    /// One term of the object's own, one that many share, and now and then two.
    static func terms(_ id: ObjectID) -> RunTerms {
        var hashes = [id.sequence &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(id.index), id.sequence % 10]
        if id.sequence.isMultiple(of: 3) { hashes.append(.max) }
        if id.sequence.isMultiple(of: 7) { hashes.append(hashes[0]) }
        return RunTerms(hashes)
    }

    /// Everything a run says, by every way to ask it.
    static func contents(_ run: Run, of records: [(id: ObjectID, record: ObjectRecord)]) throws -> [String] {
        var lines: [String] = []
        try run.forEachRecord { lines.append("\($0) \(ByteWriter.bytes(of: $1))") }
        for (id, _) in records { lines.append("\(id) \(try run.record(id).map { ByteWriter.bytes(of: $0) } ?? [])") }
        for entity in run.entities {
            for block in run.blocks(of: entity) {
                lines.append("\(try block.ids())")
                for property in run.properties(of: entity) {
                    let column = try block.column(property)
                    let bounds = block.bounds(property)
                    lines.append("\(property) \(String(describing: bounds)) \((0..<block.count).map { column?.value($0) })")
                }
            }
        }
        for (id, _) in records { for hash in terms(id).hashes { lines.append("\(try run.rows(withTerm: hash))") } }
        return lines
    }
}

extension ByteWriter {
    /// A whole record in bytes.
    static func bytes(of record: ObjectRecord) -> [UInt8] {
        var writer = ByteWriter()
        writer.record(record)
        return writer.bytes
    }
}
