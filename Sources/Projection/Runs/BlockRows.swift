import EventLog
import Storage

// Invariants
// * `columns` ascends by number, which is that of the property in the section.

/// A whole block, decoded: what records and rows are taken from.
final class BlockRows: Sendable {
    struct Column: Sendable {
        let number: Int
        let property: Property
        let chunk: ColumnChunk
    }

    let entity: WireName?
    let heads: RowHeads
    let columns: [Column]
    private let stamps: RowStamps?
    private let extra: ExtraRows?

    /// - Parameters:
    ///   - bytes: all of the block's chunks, as they are stored.
    ///   - file: checks them.
    init(_ block: RunDirectory.Block, of section: RunDirectory.Section, _ bytes: [UInt8], _ file: RunFile) throws(StorageError)
    {
        let start = block.chunks[0].offset
        let count = block.count
        let width = block.chunks.count - block.firstProperty
        func decode<Chunk>(
            _ place: ChunkPlace, _ body: ([UInt8]) throws(StorageError) -> Chunk
        ) throws(StorageError) -> Chunk {
            let offset = Int(place.offset - start)
            return try file.decode(Array(bytes[offset..<offset + place.storedSize]), place, body)
        }
        var stamps: RowStamps?
        var extra: ExtraRows?
        var columns: [Column] = []
        columns.reserveCapacity(width)
        heads = try decode(block.chunks[0]) { chunk throws(StorageError) in
            var reader = ByteReader(chunk)
            return try RowHeads(from: &reader, count: count)
        }
        for place in block.chunks.dropFirst() {
            switch place.column {
            case RunFormat.Column.stamps:
                stamps = try decode(place) { chunk throws(StorageError) in
                    var reader = ByteReader(chunk)
                    return try RowStamps(from: &reader, count: count, columns: width)
                }
            case RunFormat.Column.extra:
                extra = try decode(place) { chunk throws(StorageError) in
                    var reader = ByteReader(chunk)
                    return try ExtraRows(from: &reader, count: count)
                }
            default:
                let number = place.column - RunFormat.Column.firstProperty
                let property = section.properties[number]
                let chunk = try decode(place) { chunk throws(StorageError) in
                    try ColumnChunk(chunk, type: property.type, count: count)
                }
                columns.append(Column(number: number, property: property, chunk: chunk))
            }
        }
        entity = section.section.entity
        self.stamps = stamps
        self.extra = extra
        self.columns = columns
    }

    /// The whole record of a row.
    func record(_ row: Int) throws(StorageError) -> ObjectRecord {
        if let record = try extra?.record(row) { return record }
        let created = heads.created(row)
        let own = Stamp(timestamp: created, replica: heads.ids[row].replica)
        var registers: [(property: Property, register: Register)] = []
        registers.reserveCapacity(columns.count)
        for (index, column) in columns.enumerated() {
            guard let value = column.chunk.value(row) else { continue }
            let entry = stamps?.entry(column: index, row: row)
            registers.append(
                (
                    column.property,
                    Register(stamp: entry?.stamp ?? own, isExplicit: entry?.isExplicit ?? false, value: value)
                ))
        }
        let length = heads.length(row)
        return ObjectRecord(
            entity: entity, created: created, length: length, epochs: [(length, Epoch(registers: registers))])
    }

    /// The column of a property by its number in the section; nil when the block has nothing of it.
    func column(_ number: Int) -> ColumnChunk? {
        // Most often every block has every property.
        if number < columns.count, columns[number].number == number { return columns[number].chunk }
        var low = 0
        var high = columns.count
        while low < high {
            let middle = (low + high) >> 1
            if columns[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low < columns.count && columns[low].number == number ? columns[low].chunk : nil
    }

    /// About how much memory it takes.
    var memory: Int {
        columns.reduce(128 + heads.memory + (stamps?.memory ?? 0) + (extra?.memory ?? 0)) { $0 + 64 + $1.chunk.memory }
    }
}
