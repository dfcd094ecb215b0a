import EventLog

/// What was found in some of the blocks.
struct ScanFetchPart {
    /// A part on its way to another thread.
    struct Finished: Sendable {
        let ids: [ObjectID]
        /// As many as there are ids.
        let positions: [ScanPosition]
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
    private var positions: [ScanPosition] = []

    init(_ plan: ScanFetchPlan) {
        self.plan = plan
        kept = BoundedHeap(capacity: plan.capacity ?? 0, by: plan.order.precedes)
    }

    var finished: Finished {
        if plan.isByID, plan.capacity == nil {
            let ascends = zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 }
            if ascends { return Finished(ids: ids, positions: positions, places: [], statistics: statistics) }
            let pairs = zip(ids, positions).sorted { $0.0 < $1.0 }
            return Finished(ids: pairs.map(\.0), positions: pairs.map(\.1), places: [], statistics: statistics)
        }
        let places = plan.capacity == nil ? plan.order.sorted(all) : kept.sorted()
        return Finished(
            ids: places.map(\.id), positions: places.map(\.position), places: places, statistics: statistics)
    }

    mutating func add(_ part: Finished) {
        if plan.isByID, plan.capacity == nil {
            ids += part.ids
            positions += part.positions
        } else {
            for place in part.places { insert(place) }
        }
        statistics += part.statistics
    }

    mutating func add(_ row: some RowReader, at position: ScanPosition) {
        guard plan.isByID, plan.capacity == nil else { return insert(plan.order.place(of: row, at: position)) }
        ids.append(row.id)
        positions.append(position)
    }

    /// - Throws: what reading a block throws.
    mutating func add<Block: ScanBlock, Row: RowReader>(
        _ numbered: NumberedBlock<Block>, _ filter: BlockFilter, row: @escaping (ObjectID) -> Row?
    ) throws {
        let (block, number) = (numbered.block, numbered.number)
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
        if plan.isByID { return add(rows, of: ids, in: number) }
        if plan.order.isBare, let lead = plan.leadColumn {
            let column = try columns.column(lead)
            return rows.eachRow { row in
                let position = ScanPosition(block: number, row: row)
                insert(plan.order.barePlace(of: row, in: column, id: ids[row], at: position))
            }
        }
        var needs = plan.needs
        needs.asksRow = true
        let cells = try columns.cells(for: needs, row: row)
        rows.eachRow { row in
            insert(plan.order.place(of: BlockRow.block(cells, row), at: ScanPosition(block: number, row: row)))
        }
    }

    private mutating func add(_ rows: RowSelection, of ids: [ObjectID], in block: Int) {
        guard plan.capacity == nil else {
            return rows.eachRow { row in
                insert(SortPlace(lead: .null, values: [], id: ids[row], position: ScanPosition(block: block, row: row)))
            }
        }
        rows.eachRow { row in
            self.ids.append(ids[row])
            positions.append(ScanPosition(block: block, row: row))
        }
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
