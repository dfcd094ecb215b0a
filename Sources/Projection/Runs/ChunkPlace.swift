import EventLog
import Storage

/// Where a chunk lies in a run file, and what is known of it without reading it.
struct ChunkPlace: Sendable {
    /// What it holds, as ``RunFormat/Column`` numbers it.
    var column: Int
    var offset: UInt64
    var storedSize: Int
    /// Its size when decompressed; that of what is stored when it is not compressed.
    var size: Int
    /// XXH3-64 of what is stored.
    var checksum: UInt64
    /// Of a property.
    var bounds: ColumnBounds?
}

// The stored form. Chunks of a block follow each other, so only the first one's offset needs to be known.
extension ChunkPlace {
    static let minimumSize = 12

    func write(to writer: inout ByteWriter) {
        writer.count(column)
        writer.count(storedSize)
        writer.count(size - storedSize)
        writer.u64(checksum)
        guard let bounds else { return writer.u8(0) }
        let flags: UInt8 = 1 | (bounds.hasNull ? 2 : 0) | (bounds.lowest != nil ? 4 : 0) | (bounds.highest != nil ? 8 : 0)
        writer.u8(flags)
        if let lowest = bounds.lowest { writer.typed(lowest) }
        if let highest = bounds.highest { writer.typed(highest) }
    }

    /// - Parameter offset: where it begins.
    init(from reader: inout ByteReader, at offset: UInt64, columns: Int) throws(StorageError) {
        column = try reader.count(max: columns + RunFormat.Column.firstProperty - 1, minimumSize: 0)
        storedSize = Int(try reader.size())
        size = storedSize + Int(try reader.size())
        checksum = try reader.u64()
        self.offset = offset
        let flags = try reader.u8()
        guard flags < 16, flags == 0 || flags & 1 == 1 else { throw reader.failure("bounds of form \(flags)") }
        guard flags != 0 else { return }
        var bounds = ColumnBounds(hasNull: flags & 2 != 0)
        if flags & 4 != 0 { bounds.lowest = try reader.typed() }
        if flags & 8 != 0 { bounds.highest = try reader.typed() }
        self.bounds = bounds
    }
}

extension ByteReader {
    /// A size or an offset, small enough to be added to others.
    mutating func size() throws(StorageError) -> UInt64 {
        let start = position
        let size = try varint()
        guard size < 1 << 48 else { throw .malformed("a size of \(size) bytes", offset: UInt64(start)) }
        return size
    }
}
