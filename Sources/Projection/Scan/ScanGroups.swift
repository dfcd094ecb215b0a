import EventLog

/// Figures over what a filter selects among blocks of columns: as ``GroupedFetch/execute(over:)`` finds them among rows.
///
/// Doubles are summed in the order of the blocks as they are given, and then of the rows beside them. Nothing else depends on
/// that order.
package struct ScanGroups {
    private let fetch: GroupedFetch

    package init(_ fetch: GroupedFetch) { self.fetch = fetch }

    /// The groups, sorted by their keys.
    ///
    /// - Parameter mayUseThreads: whether a second thread may help. It does not where doubles are summed: their sum depends on
    ///   the order.
    /// - Throws: ``PredicateError`` `invalidPattern`, or what reading a block throws.
    package func execute<Block, Row>(
        over source: ScanSource<Block, Row>, mayUseThreads: Bool = false, statistics: inout ScanStatistics
    ) throws -> [GroupedFetch.Group] {
        let filter = BlockFilter(try CompiledFilter(fetch.filter), unresolved: source.unresolved)
        var found = GroupCollector(fetch, unresolved: source.unresolved)
        if filter.asksRow || GroupCollector.needs(fetch, unresolved: source.unresolved).asksRow {
            try Self.collect(source.blocks[...], filter, row: source.row, into: &found)
        } else {
            let (fetch, unresolved) = (fetch, source.unresolved)
            let parts = try BlockThreads.parts(of: source.blocks, mayUseThreads: mayUseThreads && !sumsDoubles) { blocks in
                let filter = BlockFilter(try CompiledFilter(fetch.filter), unresolved: unresolved)
                let noRow: (ObjectID) -> NoRow? = { _ in nil }
                var part = GroupCollector(fetch, unresolved: unresolved)
                try Self.collect(blocks, filter, row: noRow, into: &part)
                return part
            }
            found = parts[0]
            for part in parts.dropFirst() { found.add(part) }
        }
        for row in source.rows where filter.compiled.matches(row) { found.add(row) }
        found.statistics.rowsTested += source.rows.count
        found.statistics.rowsOneByOne += source.rows.count
        statistics += found.statistics
        let groups = try found.groups(mayUseThreads: mayUseThreads)
        return try fetch.finished(groups.all, areInOrder: groups.areInOrder)
    }

    private var sumsDoubles: Bool {
        fetch.aggregates.contains { ($0.function == .sum || $0.function == .avg) && $0.path?.type == .double }
    }

    private static func collect<Block: ScanBlock, Row: RowReader>(
        _ blocks: ArraySlice<Block>, _ filter: BlockFilter, row: @escaping (ObjectID) -> Row?,
        into found: inout GroupCollector
    ) throws {
        for block in blocks {
            let columns = BlockColumns(block)
            if let rows = try filter.select(in: columns, row: row, statistics: &found.statistics) {
                try found.add(rows, of: columns, row: row)
            }
            found.statistics.columnsRead += columns.readCount
        }
    }
}
