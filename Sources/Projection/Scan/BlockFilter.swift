package import EventLog

/// A filter as blocks of columns are asked it: a word of sixty-four rows at a time.
///
/// Not `Sendable`, as ``CompiledFilter`` is not.
package struct BlockFilter {
    /// For rows that are in no block.
    package let compiled: CompiledFilter
    private let root: FilterNode
    /// Whether rows of the caller's are needed, so that the answer cannot be found on another thread.
    package let asksRow: Bool

    /// - Parameter unresolved: columns that are not read from blocks; see ``ScanSource/unresolved``.
    package init(_ filter: CompiledFilter, unresolved: Set<Property> = []) {
        compiled = filter
        root = FilterNode(filter, unresolved)
        asksRow = root.asksRow
    }

    /// The rows of a block that it selects, those excluded left out; nil when nothing had to be read to know that it selects
    /// none.
    ///
    /// - Throws: what reading a column throws.
    func select<Block: ScanBlock, Row: RowReader>(
        in columns: BlockColumns<Block>, row: @escaping (ObjectID) -> Row?, statistics: inout ScanStatistics
    ) throws -> RowSelection? {
        statistics.blocks += 1
        let node = root.reduced { columns.block.bounds($0) }
        if case .always(false) = node {
            statistics.blocksSkipped += 1
            return nil
        }
        let rows = RowSelection(allOf: columns.block.count, except: columns.block.excluded)
        statistics.rowsTested += columns.block.count
        return try node.select(among: rows, in: columns, row: row, statistics: &statistics)
    }
}
