package import EventLog

/// Finds what a fetch selects among blocks of columns: as ``BoundFetch/execute(over:rowsAreByID:)`` finds it among rows.
package struct ScanFetch {
    private let fetch: BoundFetch

    package init(_ fetch: BoundFetch) { self.fetch = fetch }

    /// The ids of the objects, in the order of the fetch.
    ///
    /// - Parameter mayUseThreads: whether a second thread may help.
    /// - Throws: ``PredicateError`` `invalidPattern`, or what reading a block throws.
    package func execute<Block, Row>(
        over source: ScanSource<Block, Row>, mayUseThreads: Bool = false, statistics: inout ScanStatistics
    ) throws -> [ObjectID] {
        try find(in: source, mayUseThreads: mayUseThreads, statistics: &statistics).ids
    }

    /// The objects with where they are, in the order of the fetch.
    ///
    /// - Parameter mayUseThreads: whether a second thread may help.
    /// - Throws: ``PredicateError`` `invalidPattern`, or what reading a block throws.
    package func find<Block, Row>(
        in source: ScanSource<Block, Row>, mayUseThreads: Bool = false, statistics: inout ScanStatistics
    ) throws -> ScanFindings {
        let filter = BlockFilter(try CompiledFilter(fetch.filter), unresolved: source.unresolved)
        if fetch.limit == 0 { return ScanFindings() }
        let plan = ScanFetchPlan(fetch, unresolved: source.unresolved, among: source.bound)
        var found = ScanFetchPart(plan)
        let blocks = plan.bestFirst(NumberedBlock.all(of: source.blocks))
        if filter.asksRow || plan.needs.asksRow {
            for block in blocks { try found.add(block, filter, row: source.row) }
        } else {
            let (bound, unresolved) = (fetch.filter, source.unresolved)
            let parts = try BlockThreads.parts(of: blocks, mayUseThreads: mayUseThreads) { blocks in
                let filter = BlockFilter(try CompiledFilter(bound), unresolved: unresolved)
                let noRow: (ObjectID) -> NoRow? = { _ in nil }
                var part = ScanFetchPart(plan)
                for block in blocks { try part.add(block, filter, row: noRow) }
                return part.finished
            }
            for part in parts { found.add(part) }
        }
        for (number, row) in source.rows.enumerated() where filter.compiled.matches(row) {
            found.add(row, at: ScanPosition(beside: number))
        }
        found.statistics.rowsTested += source.rows.count
        found.statistics.rowsOneByOne += source.rows.count
        statistics += found.statistics
        let all = found.finished
        if fetch.offset == 0 { return ScanFindings(ids: all.ids, positions: all.positions) }
        return ScanFindings(
            ids: Array(all.ids.dropFirst(fetch.offset)), positions: Array(all.positions.dropFirst(fetch.offset)))
    }
}
