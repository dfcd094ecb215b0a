package import EventLog

/// The objects of one entity as a scan finds them: blocks of columns, and rows beside them.
///
/// An object is in one place only: a block leaves out the rows of which another block or `rows` has a newer version.
package struct ScanSource<Block: ScanBlock & Sendable, Row: RowReader> {
    package let blocks: [Block]
    /// Objects that are in no block.
    package let rows: [Row]
    /// Columns whose stored values may differ from what the user sees, such as references to objects that are deleted: of these
    /// `row` is asked.
    package let unresolved: Set<Property>
    /// The row of an object of a block, for what its columns cannot answer; nil reads as a row that leads nowhere.
    package let row: (ObjectID) -> Row?

    package init(
        blocks: [Block], rows: [Row] = [], unresolved: Set<Property> = [], row: @escaping (ObjectID) -> Row? = { _ in nil }
    ) {
        self.blocks = blocks
        self.rows = rows
        self.unresolved = unresolved
        self.row = row
    }

    /// More objects than there can be.
    var bound: Int { blocks.reduce(rows.count) { $0 + $1.count } }
}
