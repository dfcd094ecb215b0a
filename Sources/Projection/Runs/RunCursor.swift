package import EventLog
import Storage

// Invariants
// * `block` is the one that `rows` decodes, or that comes next while `rows` is nil; `row` is the next row of it.

/// Goes through the records of one section of a run, without a cache: a block is read at once and forgotten.
struct RunCursor {
    /// A block with all its chunks.
    private struct Rows {
        var heads: RowHeads
        var stamps: RowStamps?
        var extra: ExtraRows?
        var columns: [(property: Property, chunk: ColumnChunk)] = []
    }

    private let run: Run
    private let section: RunDirectory.Section
    private let marks: RowMarks?
    private var block: Int
    private var row = 0
    private var rows: Rows?
    /// Where the cursor stands; nil at the end.
    private(set) var id: ObjectID?

    /// Stands on the first record that is not marked.
    init(_ run: Run, _ section: RunDirectory.Section, without marks: RowMarks?) throws(StorageError) {
        self.run = run
        self.section = section
        self.marks = marks
        block = section.blocks.lowerBound
        try settle()
    }

    /// The record at ``id``, and a step to the next.
    mutating func next() throws(StorageError) -> ObjectRecord {
        guard let rows else { throw .malformed("a record behind the last one", path: run.path) }
        let record = try record(rows, row)
        row += 1
        try settle()
        return record
    }

    mutating func skip() throws(StorageError) {
        row += 1
        try settle()
    }

    /// Finds the next row that is not marked, from `row` on.
    private mutating func settle() throws(StorageError) {
        id = nil
        while section.blocks.contains(block) {
            let count = run.directory.blocks[block].count
            while row < count, let marks, marks.contains(block << RunFormat.rowShift | row) { row += 1 }
            if row < count {
                if rows == nil { rows = try read() }
                id = rows?.heads.ids[row]
                return
            }
            block += 1
            row = 0
            rows = nil
        }
    }

    private func record(_ rows: Rows, _ row: Int) throws(StorageError) -> ObjectRecord {
        if let record = try rows.extra?.record(row) { return record }
        var parts = RecordParts(heads: rows.heads, row: row, stamps: rows.stamps, capacity: rows.columns.count)
        for (number, column) in rows.columns.enumerated() { parts.add(column.property, column.chunk, number) }
        return parts.record(entity: section.section.entity)
    }

    private func read() throws(StorageError) -> Rows {
        let entry = run.directory.blocks[block]
        let storage = run.storage
        let start = entry.chunks[0].offset
        let bytes = try storage.read(start, entry.chunks.reduce(0) { $0 + $1.storedSize })
        let columns = entry.chunks.count - entry.firstProperty
        func decode<Chunk>(
            _ place: ChunkPlace, _ body: ([UInt8]) throws(StorageError) -> Chunk
        ) throws(StorageError) -> Chunk {
            let offset = Int(place.offset - start)
            return try storage.decode(Array(bytes[offset..<offset + place.storedSize]), place, body)
        }
        var rows = Rows(
            heads: try decode(entry.chunks[0]) { chunk throws(StorageError) in
                var reader = ByteReader(chunk)
                return try RowHeads(from: &reader, count: entry.count)
            })
        for place in entry.chunks.dropFirst() {
            switch place.column {
            case RunFormat.Column.stamps:
                rows.stamps = try decode(place) { chunk throws(StorageError) in
                    var reader = ByteReader(chunk)
                    return try RowStamps(from: &reader, count: entry.count, columns: columns)
                }
            case RunFormat.Column.extra:
                rows.extra = try decode(place) { chunk throws(StorageError) in
                    var reader = ByteReader(chunk)
                    return try ExtraRows(from: &reader, count: entry.count)
                }
            default:
                let property = section.properties[place.column - RunFormat.Column.firstProperty]
                let column = try decode(place) { chunk throws(StorageError) in
                    try ColumnChunk(chunk, type: property.type, count: entry.count)
                }
                rows.columns.append((property, column))
            }
        }
        return rows
    }
}

extension Run {
    /// Gives every record in the order of (section, id), reading each block once and keeping none.
    package func forEachRecord(
        without marks: RowMarks? = nil, _ body: (ObjectID, ObjectRecord) throws -> Void
    ) throws {
        for section in directory.sections {
            var cursor = try RunCursor(self, section, without: marks)
            while let id = cursor.id { try body(id, try cursor.next()) }
        }
    }
}
