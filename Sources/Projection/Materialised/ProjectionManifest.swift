package import EventLog
import Storage

/// Which runs make up a projection, and which transactions they are the fold of.
///
/// One small file that is replaced whole; SPEC.md, section 12, has its bytes.
package struct ProjectionManifest: Sendable {
    package struct Member: Sendable {
        /// The number in the run's file name.
        package var number: UInt64
        package var byteCount: UInt64
        /// See ``Run/checksum``: a run of another store or of another time is not taken for this one.
        package var checksum: UInt64
        /// Of the unique keys that its rows can be found by.
        package var keys: UInt64
        package var superseded: RowMarks
    }

    /// Goes up with every manifest of a store.
    package var generation: UInt64
    /// Where the log is to be read on from.
    package var token: HistoryToken
    /// What is applied and declared.
    package var frame: Baseline
    /// See ``IrregularObjects``.
    package var irregular: [ObjectID]
    /// Where an origin has forked, what names the transactions that come; see ``NameResolver/encode()``.
    package var names: [UInt8]
    /// The oldest first.
    package var members: [Member]
}

extension ProjectionManifest {
    private static let magic = "SLRUNSET"
    private static let version: UInt32 = 3
    /// No manifest that is worth reading is larger.
    static let maximumSize = 256 << 20

    func encode() throws -> [UInt8] {
        var contents = ByteWriter()
        contents.u64(generation)
        let token = token.encode()
        contents.count(token.count)
        contents.raw(token)
        var bodies: [[UInt8]] = []
        try BaselineWriter.write(frame) { bodies.append($0) }
        contents.count(bodies.count)
        for body in bodies {
            contents.count(body.count)
            contents.raw(body)
        }
        contents.count(irregular.count)
        for id in irregular {
            contents.digest(id.replica.bits)
            contents.varint(id.sequence)
            contents.u32(id.index)
        }
        contents.count(names.count)
        contents.raw(names)
        contents.count(members.count)
        for member in members {
            contents.u64(member.number)
            contents.u64(member.byteCount)
            contents.u64(member.checksum)
            contents.u64(member.keys)
            member.superseded.write(to: &contents)
        }
        let packed = LZ4.compress(contents.bytes.span)
        var writer = ByteWriter()
        writer.raw(Array(Self.magic.utf8))
        writer.u32(Self.version)
        writer.u32(packed == nil ? 0 : 1)
        writer.u64(UInt64(contents.count))
        writer.raw(packed ?? contents.bytes)
        writer.digest(Checksum.xxh3Wide(writer.bytes.span))
        return writer.bytes
    }

    /// - Throws: `malformed` for anything but what ``encode()`` gives, `newerVersion` for what a newer version gave.
    init(_ bytes: [UInt8], path: String) throws(StorageError) {
        let end = bytes.count - 16
        guard end >= 24, bytes.starts(with: Self.magic.utf8) else { throw .malformed("it is no manifest of runs", path: path) }
        var checksum = ByteReader(bytes, end..<bytes.count)
        guard try checksum.digest() == Checksum.xxh3Wide(bytes.span.extracting(0..<end)) else {
            throw .malformed("the checksum does not match", path: path)
        }
        var head = ByteReader(bytes, Self.magic.utf8.count..<end)
        let version = try head.u32()
        guard version == Self.version else { throw .newerVersion("manifest of runs of version \(version)", path: path) }
        let isPacked = try head.u32() == 1
        let size = try head.u64()
        guard size <= UInt64(Self.maximumSize) else { throw .malformed("contents of \(size) bytes", path: path) }
        let stored = bytes.span.extracting(24..<end)
        let contents =
            isPacked ? try LZ4.decompress(stored, size: Int(size)) : Array(bytes[24..<end])
        var reader = ByteReader(contents)
        generation = try reader.u64()
        token = try Self.token(&reader, path)
        var bodies: [[UInt8]] = []
        for _ in 0..<(try reader.count(max: 1 << 16)) {
            bodies.append(Array(try reader.bytes(try reader.count(max: BaselineFormat.maximumBody))))
        }
        frame = try Baseline(bodies: bodies)
        irregular = []
        for _ in 0..<(try reader.count(max: 1 << 30, minimumSize: 21)) {
            let replica = ReplicaID(try reader.digest())
            irregular.append(ObjectID(replica: replica, sequence: try reader.varint(), index: try reader.u32()))
        }
        names = Array(try reader.bytes(try reader.count(max: Self.maximumSize)))
        members = []
        for _ in 0..<(try reader.count(max: 1 << 16, minimumSize: 33)) {
            members.append(
                Member(
                    number: try reader.u64(), byteCount: try reader.u64(), checksum: try reader.u64(), keys: try reader.u64(),
                    superseded: try RowMarks(from: &reader)))
        }
        try reader.expectEnd()
    }

    private static func token(_ reader: inout ByteReader, _ path: String) throws(StorageError) -> HistoryToken {
        let bytes = Array(try reader.bytes(try reader.count(max: HistoryToken.maximumSize)))
        do throws(LogError) { return try HistoryToken(bytes: bytes) } catch {
            throw .malformed("a token that cannot be read: \(error)", path: path)
        }
    }
}
