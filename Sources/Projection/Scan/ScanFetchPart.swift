import EventLog

/// What was found in some of the blocks.
struct ScanFetchPart {
    /// A part on its way to another thread.
    struct Finished: Sendable {
        let ids: [ObjectID]
        /// Empty for an order by id alone.
        let places: [SortPlace]
        let statistics: ScanStatistics
    }

    private let plan: ScanFetchPlan
    var statistics = ScanStatistics()
    private var kept: BoundedHeap<SortPlace>
    private var all: [SortPlace] = []
    /// For an order by id alone without a limit.
    private var ids: [ObjectID] = []

    init(_ plan: ScanFetchPlan) {
        self.plan = plan
        kept = BoundedHeap(capacity: plan.capacity ?? 0, by: plan.order.precedes)
    }

    var finished: Finished {
        if plan.isByID, plan.capacity == nil {
            let ascends = zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 }
            return Finished(ids: ascends ? ids : ids.sorted(), places: [], statistics: statistics)
        }
        let places = plan.capacity == nil ? plan.order.sorted(all) : kept.sorted()
        return Finished(ids: places.map(\.id), places: places, statistics: statistics)
    }

    mutating func add(_ part: Finished) {
        if plan.isByID, plan.capacity == nil { ids += part.ids } else { for place in part.places { insert(place) } }
        statistics += part.statistics
    }

    mutating func add(_ row: some RowReader) {
        if plan.isByID, plan.capacity == nil { ids.append(row.id) } else { insert(plan.order.place(of: row)) }
    }

    /// - Throws: what reading a block throws.
    mutating func add<Block: ScanBlock, Row: RowReader>(
        _ block: Block, _ filter: BlockFilter, row: @escaping (ObjectID) -> Row?
    ) throws {
        if isBeyond(block) {
            statistics.blocks += 1
            statistics.blocksSkipped += 1
            return
        }
        let columns = BlockColumns(block)
        defer { statistics.columnsRead += columns.readCount }
        guard var rows = try filter.select(in: columns, row: row, statistics: &statistics), !rows.isEmpty else { return }
        if let last = kept.last, let lead = plan.leadColumn {
            rows = plan.order.rows(rows, notBeyond: last, try columns.column(lead))
            if rows.isEmpty { return }
        }
        let ids = try columns.ids()
        if plan.isByID { return add(rows, of: ids) }
        if plan.order.isBare, let lead = plan.leadColumn {
            let column = try columns.column(lead)
            return rows.eachRow { insert(plan.order.barePlace(of: $0, in: column, id: ids[$0])) }
        }
        var needs = plan.needs
        needs.asksRow = true
        let cells = try columns.cells(for: needs, row: row)
        rows.eachRow { insert(plan.order.place(of: BlockRow.block(cells, $0))) }
    }

    private mutating func add(_ rows: RowSelection, of ids: [ObjectID]) {
        if plan.capacity == nil { return rows.eachRow { self.ids.append(ids[$0]) } }
        rows.eachRow { insert(SortPlace(lead: .null, values: [], id: ids[$0])) }
    }

    private mutating func insert(_ place: SortPlace) {
        if plan.capacity == nil { all.append(place) } else { kept.insert(place) }
    }

    /// Whether none of the block's rows can be among the first any more.
    private func isBeyond(_ block: some ScanBlock) -> Bool {
        guard let last = kept.last else { return false }
        if plan.isByID { return block.idBounds.map { $0.lowerBound > last.id } ?? false }
        guard let column = plan.leadColumn, let first = plan.order.firstLead(block.bounds(column)) else { return false }
        return first > last.lead
    }
}
