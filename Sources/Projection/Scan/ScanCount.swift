import EventLog

/// Counts what a fetch selects among blocks of columns: as ``BoundFetch/count(over:)`` counts it among rows.
package struct ScanCount {
    private let fetch: BoundFetch

    package init(_ fetch: BoundFetch) { self.fetch = fetch }

    /// - Parameter mayUseThreads: whether a second thread may help.
    /// - Throws: ``PredicateError`` `invalidPattern`, or what reading a block throws.
    package func execute<Block, Row>(
        over source: ScanSource<Block, Row>, mayUseThreads: Bool = false, statistics: inout ScanStatistics
    ) throws -> Int {
        let filter = BlockFilter(try CompiledFilter(fetch.filter), unresolved: source.unresolved)
        var count = 0
        if filter.asksRow {
            count = try Self.count(source.blocks[...], filter, row: source.row, &statistics)
        } else {
            let (bound, unresolved) = (fetch.filter, source.unresolved)
            let parts = try BlockThreads.parts(of: source.blocks, mayUseThreads: mayUseThreads) { blocks in
                var statistics = ScanStatistics()
                let filter = BlockFilter(try CompiledFilter(bound), unresolved: unresolved)
                let noRow: (ObjectID) -> NoRow? = { _ in nil }
                return (try Self.count(blocks, filter, row: noRow, &statistics), statistics)
            }
            for part in parts {
                count += part.0
                statistics += part.1
            }
        }
        for row in source.rows where filter.compiled.matches(row) { count += 1 }
        statistics.rowsTested += source.rows.count
        statistics.rowsOneByOne += source.rows.count
        return min(max(0, count - fetch.offset), fetch.limit ?? .max)
    }

    private static func count<Block: ScanBlock, Row: RowReader>(
        _ blocks: ArraySlice<Block>, _ filter: BlockFilter, row: @escaping (ObjectID) -> Row?,
        _ statistics: inout ScanStatistics
    ) throws -> Int {
        var count = 0
        for block in blocks {
            let columns = BlockColumns(block)
            count += try filter.select(in: columns, row: row, statistics: &statistics)?.count ?? 0
            statistics.columnsRead += columns.readCount
        }
        return count
    }
}
