import EventLog

/// The columns that rows of one block answer from.
final class BlockCells<Row: RowReader> {
    fileprivate let columns: [Property: ColumnBlock]
    fileprivate let ids: [ObjectID]
    fileprivate let unresolved: Set<Property>
    fileprivate let row: (ObjectID) -> Row?

    init(
        columns: [Property: ColumnBlock], ids: [ObjectID], unresolved: Set<Property>, row: @escaping (ObjectID) -> Row?
    ) {
        self.columns = columns
        self.ids = ids
        self.unresolved = unresolved
        self.row = row
    }
}

/// A row of a block as a reader: values come from its columns, relationships from the caller's row.
enum BlockRow<Row: RowReader>: RowReader {
    /// A row whose columns have been read beforehand.
    case block(BlockCells<Row>, Int)
    case other(Row)

    var id: ObjectID {
        switch self {
        case .block(let cells, let row): cells.ids[row]
        case .other(let row): row.id
        }
    }

    func value(of property: Property) -> Value {
        switch self {
        case .other(let row): return row.value(of: property)
        case .block(let cells, let row):
            if let column = cells.columns[property] { return column.value(row) ?? .null }
            return cells.unresolved.contains(property) ? cells.row(id)?.value(of: property) ?? .null : .null
        }
    }

    func related(by name: String) -> [BlockRow] {
        switch self {
        case .other(let row): row.related(by: name).map(BlockRow.other)
        case .block(let cells, _): cells.row(id)?.related(by: name).map(BlockRow.other) ?? []
        }
    }
}

/// The row of a scan that has no caller to ask.
enum NoRow: RowReader {
    var id: ObjectID { switch self {} }
    func value(of property: Property) -> Value { switch self {} }
    func related(by name: String) -> [NoRow] { switch self {} }
}
