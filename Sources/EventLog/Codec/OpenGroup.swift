import Storage

// Invariants
// * `rows` is the length of every list that the kind has, and of every column:
//   insert: indexes, columns. update: objects, lengths, columns (new), old, overwrote. delete, restore: objects, lengths, columns.
//   edge: objects (owners), targets, ownerLengths, lengths. increment: objects, lengths, additions, seen.
// * `indexes` ascend. `columns[i]` belongs to `properties[i]`; no property occurs twice.

/// A change group that still grows: changes of one kind and shape, by columns.
final class OpenGroup {
    let kind: TransactionFormat.Kind
    let entity: String
    /// Of an edge or increment: the one property.
    let properties: [Property]
    /// Whether its names are.
    let isASCII: Bool
    var rows = 0
    /// About what it takes, by which the builder closes it.
    var weight = 0
    var indexes: [UInt32] = []
    var objects = ObjectList()
    var lengths: [UInt32] = []
    var columns: [ColumnBuffer]
    var old: [ColumnBuffer] = []
    var overwrote: [StampBuffer] = []
    var targets: [ObjectID] = []
    var ownerLengths: [UInt32] = []
    var additions: [Int64] = []
    var seen: [Int64] = []

    init(_ kind: TransactionFormat.Kind, _ entity: String, _ properties: [Property]) {
        self.kind = kind
        self.entity = entity
        self.properties = properties
        isASCII = entity.utf8.allSatisfy { $0 < 0x80 } && properties.allSatisfy { $0.name.utf8.allSatisfy { $0 < 0x80 } }
        switch kind {
        case .insert, .delete, .restore: columns = properties.map { ColumnBuffer($0) }
        case .update:
            columns = properties.map { ColumnBuffer($0) }
            old = columns
            overwrote = properties.map { _ in StampBuffer() }
        case .edge, .increment, .schema, .rename, .undo: columns = []
        }
    }

    /// What it counts against the limit of a part.
    func cells(_ rows: Int) -> Int { TransactionFormat.cells(rows: rows, columns: columns.count + old.count) }

    var isFull: Bool {
        rows >= TransactionFormat.preferredGroupRows || weight >= TransactionFormat.preferredGroupBytes
            || cells(rows) >= TransactionFormat.preferredGroupCells
    }

    /// Whether a change of `object` is in it; `ownIndex` is the object's index when this transaction inserted it.
    func touches(_ object: ObjectID, ownIndex: UInt32?) -> Bool {
        if kind == .insert { return ownIndex.map { indexes.ascendingContains($0) } ?? false }
        return objects.contains(object)
    }

    /// The size of one row as far as it varies.
    func byteCount(row: Int) -> Int {
        columns.reduce(0) { $0 + $1.byteCount(row: row) } + old.reduce(0) { $0 + $1.byteCount(row: row) }
    }

    /// The property whose value in a row is the largest.
    func largestProperty(row: Int) -> Property? {
        columns.indices.max { a, b in
            let sizeA = columns[a].byteCount(row: row) + (old.isEmpty ? 0 : old[a].byteCount(row: row))
            let sizeB = columns[b].byteCount(row: row) + (old.isEmpty ? 0 : old[b].byteCount(row: row))
            return sizeA < sizeB
        }.map { properties[$0] }
    }
}

// The stored form: SPEC.md, 3.2.
extension OpenGroup {
    /// Writes some rows as a group of their own.
    func write(_ rows: Range<Int>, to writer: inout ByteWriter, tables: inout NameTables) {
        var body = ByteWriter(capacity: 1024 + weight * rows.count / max(1, self.rows))
        let entity = tables.entity(entity)
        switch kind {
        case .edge, .increment: body.count(tables.column(properties[0], of: entity))
        default: body.count(entity)
        }
        body.count(rows.count)
        if kind == .insert {
            body.ints(indexes.span.extracting(rows))
        } else {
            body.objects(objects.ids.span.extracting(rows), origins: &tables.origins)
        }
        switch kind {
        case .edge:
            body.objects(targets.span.extracting(rows), origins: &tables.origins)
            body.ints(ownerLengths.span.extracting(rows))
            body.ints(lengths.span.extracting(rows))
        case .increment:
            body.ints(lengths.span.extracting(rows))
            body.ints(additions.span.extracting(rows))
            body.ints(seen.span.extracting(rows))
        default:
            if kind != .insert { body.ints(lengths.span.extracting(rows)) }
            body.count(columns.count)
            for index in columns.indices { writeColumn(index, rows, of: entity, to: &body, tables: &tables) }
        }
        writer.u8(kind.rawValue)
        writer.count(body.count)
        writer.raw(body.bytes)
    }

    private func writeColumn(
        _ index: Int, _ rows: Range<Int>, of entity: Int, to body: inout ByteWriter, tables: inout NameTables
    ) {
        body.count(tables.column(properties[index], of: entity))
        // By span: an element of an array that others may change would be copied first.
        let (columns, old, overwrote) = (columns, old, overwrote)
        columns.span[index].write(rows, to: &body, origins: &tables.origins)
        switch kind {
        case .update:
            old.span[index].write(rows, to: &body, origins: &tables.origins)
            overwrote.span[index].write(rows, to: &body, origins: &tables.origins)
        case .delete, .restore:
            // The builder keeps one group for each set of properties: all rows have the column.
            body.u8(TransactionFormat.PresenceForm.all)
        default: break
        }
    }
}
