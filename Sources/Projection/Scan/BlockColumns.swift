// Invariants
// * A column is read at most once; `read` holds nil for one that the block has no value of.
// * No lock: it belongs to the scan, and the thread, that goes through the block.

import EventLog

/// The columns of one block that a scan has read so far.
final class BlockColumns<Block: ScanBlock> {
    let block: Block
    private var read: [Property: ColumnBlock?] = [:]
    private var readIDs: [ObjectID]?
    /// How many columns were read, the ids included.
    private(set) var readCount = 0

    init(_ block: Block) { self.block = block }

    /// A column; nil when every row of the block reads as null.
    ///
    /// - Throws: what reading throws.
    func column(_ property: Property) throws -> ColumnBlock? {
        if let known = read[property] { return known }
        let column = try block.column(property)
        precondition(column.map { $0.count == block.count } ?? true, "a column has a slot for each row of its block")
        readCount += 1
        read[property] = .some(column)
        return column
    }

    /// The texts of a column as numbers; nil when they are to be read as they are.
    func texts(_ property: Property) throws -> PooledTexts? {
        guard property.type == .string, let texts = try block.texts(property) else { return nil }
        precondition(texts.codes.count == block.count, "a column has a slot for each row of its block")
        if read[property] == nil { readCount += 1 }
        return texts
    }

    func ids() throws -> [ObjectID] {
        if let readIDs { return readIDs }
        let ids = try block.ids()
        readCount += 1
        readIDs = ids
        return ids
    }

    /// What rows of the block need to answer for some paths.
    ///
    /// - Throws: what reading throws.
    func cells<Row: RowReader>(for needs: RowNeeds, row: @escaping (ObjectID) -> Row?) throws -> BlockCells<Row> {
        var columns: [Property: ColumnBlock] = [:]
        for property in needs.columns { columns[property] = try column(property) }
        return BlockCells(
            columns: columns, ids: needs.asksRow ? try ids() : [], unresolved: needs.unresolved, row: row)
    }
}

/// What must be at hand before rows of a block can answer for some paths.
struct RowNeeds {
    var columns: Set<Property> = []
    /// Whether ids, and for relationships and unresolved columns the caller's rows, are needed.
    var asksRow = false
    let unresolved: Set<Property>

    init(unresolved: Set<Property>) { self.unresolved = unresolved }

    init(_ path: BoundPath, unresolved: Set<Property>) {
        self.init(unresolved: unresolved)
        add(path)
    }

    mutating func add(_ path: BoundPath) {
        if let property = path.ownColumn, !unresolved.contains(property) {
            columns.insert(property)
        } else {
            asksRow = true
        }
    }
}
