import EventLog

/// How a fetch goes about it, the same for all blocks and threads.
struct ScanFetchPlan: Sendable {
    let order: ScanOrder
    let isByID: Bool
    /// How many places are kept; nil for all.
    let capacity: Int?
    let leadColumn: Property?
    let unresolved: Set<Property>

    init(_ fetch: BoundFetch, unresolved: Set<Property>, among bound: Int) {
        order = ScanOrder(fetch.order)
        isByID = fetch.order.isByID
        let (end, overflows) = fetch.offset.addingReportingOverflow(fetch.limit ?? .max)
        capacity = overflows || end >= bound ? nil : end
        leadColumn = order.leadColumn(unresolved: unresolved)
        self.unresolved = unresolved
    }

    var needs: RowNeeds { order.needs(unresolved: unresolved) }

    /// The blocks in an order in which the first ones are likely to rule the others out.
    func bestFirst<Block>(_ blocks: [NumberedBlock<Block>]) -> [NumberedBlock<Block>] {
        if capacity == nil { return blocks }
        if isByID {
            let bounds = blocks.map { (block: $0, first: $0.block.idBounds?.lowerBound) }
            let known = bounds.allSatisfy { $0.first != nil }
            guard known else { return blocks }
            return bounds.sorted { a, b in a.first.flatMap { a in b.first.map { a < $0 } } ?? false }.map(\.block)
        }
        guard let leadColumn else { return blocks }
        let unknown = SortPlace.Lead(rank: .max)
        return blocks.map { (block: $0, lead: order.firstLead($0.block.bounds(leadColumn)) ?? unknown) }
            .sorted { $0.lead < $1.lead }.map(\.block)
    }
}
