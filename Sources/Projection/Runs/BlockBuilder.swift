import EventLog
import Storage

// Invariants
// * `columns` are of the section at hand; a column in which the block has nothing gives no chunk.
// * Every register of every row is in a column and, where columns cannot say all, in `extra` as well.

/// Collects the rows of one block.
struct BlockBuilder {
    private(set) var count = 0
    /// About how many bytes the values take.
    private(set) var weight = 0
    private(set) var first: ObjectID?
    private(set) var last: ObjectID?
    private var ids = IDStretches()
    private var created = Steps()
    private var lengths = Steps()
    private var columns: [ColumnBuilder] = []
    private var numbers: [Property: Int] = [:]
    private var stamps = StampTable()
    private var extra = ExtraRowsBuilder()

    var isFull: Bool { count >= RunFormat.blockRows || weight >= RunFormat.blockBytes }

    mutating func append(_ id: ObjectID, _ held: HeldRecord) {
        switch held {
        case .inserted(let insertion): append(id, insertion)
        case .row(let rows, let row): append(id, rows.insertion(row))
        case .whole(let record): append(id, record)
        }
    }

    private mutating func begin(_ id: ObjectID, created: Timestamp, length: UInt32) -> Int {
        if first == nil { first = id }
        last = id
        ids.append(id)
        self.created.append(created.rawValue)
        lengths.append(UInt64(length))
        count += 1
        return count - 1
    }

    /// Adds the heads of rows of inserts; the number of the first.
    mutating func begin(_ rows: InsertedRows, _ range: Range<Int>) -> Int {
        if first == nil { first = rows.id(range.lowerBound) }
        last = rows.id(range.upperBound - 1)
        for row in range { ids.append(rows.id(row)) }
        created.append(rows.stamp.timestamp.rawValue, count: range.count)
        lengths.append(1, count: range.count)
        count += range.count
        return count - range.count
    }

    /// The code of a stamp in this block.
    mutating func code(of stamp: Stamp, isExplicit: Bool, created: Timestamp, origin: ReplicaID) -> UInt32 {
        stamps.code(of: stamp, isExplicit: isExplicit, created: created, origin: origin)
    }

    /// Adds values to a column that ``number(of:hint:)`` gave, the first to row `first`.
    mutating func append(_ values: DecodedColumn, _ range: Range<Int>, code: UInt32, to column: Int, at first: Int) {
        weight += 8 * range.count + values.weight(range)
        columns[column].append(values, range, code: code, row: first)
    }

    private mutating func append(_ id: ObjectID, _ insertion: Insertion) {
        let created = insertion.stamp.timestamp
        let row = begin(id, created: created, length: 1)
        var isWhole = true
        var hint = 0
        for value in insertion.values {
            let code = stamps.code(of: insertion.stamp, isExplicit: false, created: created, origin: id.replica)
            let column = number(of: value.property, hint: hint)
            hint = column + 1
            weight += 8 + value.value.weight
            isWhole = columns[column].append(value.value, code: code, row: row) && isWhole
        }
        if !isWhole { appendWhole(insertion.record, row) }
    }

    private mutating func append(_ id: ObjectID, _ record: ObjectRecord) {
        let row = begin(id, created: record.created, length: record.length)
        guard record.isAlive, record.entity != nil else { return appendWhole(record, row) }
        let epoch = record.current
        var isWhole = record.isSettled && epoch.isPlain
        var hint = 0
        for (property, register) in epoch.registers {
            let column = number(of: property, hint: hint)
            hint = column + 1
            let code = stamps.code(
                of: register.stamp, isExplicit: register.isExplicit, created: record.created, origin: id.replica)
            let value = Value.reading(register.value, adding: epoch.sum(of: property)) ?? .null
            weight += 8 + value.weight
            isWhole = columns[column].append(value, code: code, row: row) && isWhole
        }
        if !epoch.isPlain {
            for (property, _) in epoch.counters where epoch.registers[property] == nil {
                guard let sum = epoch.sum(of: property) else { continue }
                _ = columns[number(of: property, hint: hint)].append(.counter(sum), code: 0, row: row)
            }
        }
        if !isWhole { appendWhole(record, row) }
    }

    private mutating func appendWhole(_ record: ObjectRecord, _ row: Int) {
        let before = extra.byteCount
        extra.append(record, row: row)
        weight += extra.byteCount - before
    }

    mutating func number(of property: Property, hint: Int) -> Int {
        if hint < columns.count, columns[hint].property == property { return hint }
        if let number = numbers[property] { return number }
        numbers[property] = columns.count
        columns.append(ColumnBuilder(property))
        return columns.count - 1
    }

    /// Gives the block's chunks, and is empty again; `number` numbers the properties.
    mutating func take(_ number: (Property) -> Int) -> [PackedChunk] {
        var heads = ByteWriter()
        RowHeads(ids: ids, created: created, lengths: lengths).write(to: &heads)
        var chunks = [PackedChunk(column: RunFormat.Column.heads, heads.bytes)]
        let order = columns.indices.filter { !columns[$0].isUnused }.sorted {
            columns[$0].property < columns[$1].property
        }
        for index in order { columns[index].pad(to: count) }
        if !stamps.entries.isEmpty {
            var writer = ByteWriter()
            stamps.write(order.map { columns[$0].codes }, to: &writer)
            chunks.append(PackedChunk(column: RunFormat.Column.stamps, writer.bytes))
        }
        if extra.count > 0 {
            var writer = ByteWriter(capacity: extra.byteCount + 8 * extra.count)
            extra.write(to: &writer)
            chunks.append(PackedChunk(column: RunFormat.Column.extra, writer.bytes))
        }
        for index in order {
            let column = columns[index]
            chunks.append(
                PackedChunk(
                    column: RunFormat.Column.firstProperty + number(column.property), column.encode(), bounds: column.bounds))
        }
        removeAll()
        return chunks
    }

    private mutating func removeAll() {
        count = 0
        weight = 0
        first = nil
        last = nil
        ids.removeAll()
        created.removeAll()
        lengths.removeAll()
        for index in columns.indices { columns[index].removeAll() }
        stamps.removeAll()
        extra = ExtraRowsBuilder()
    }
}

extension Value {
    /// About how many bytes it takes beyond its slot.
    fileprivate var weight: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .data(let bytes): bytes.count
        case .blob(let blob): 32 + (blob.inline?.count ?? 0)
        case .reference: 24
        default: 0
        }
    }
}
