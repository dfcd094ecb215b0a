/// What to fetch, without Swift types.
package struct FetchDescription: Hashable, Sendable {
    /// The entity's wire name.
    package var entity: String
    package var filter: Filter
    package var sort: [SortKey]
    /// At most so many objects; nil for all.
    package var limit: Int?
    /// So many objects are passed over first.
    package var offset: Int
    /// The wire names to return; nil for all.
    package var properties: [String]?

    package init(
        entity: String, filter: Filter = .always(true), sort: [SortKey] = [], limit: Int? = nil, offset: Int = 0,
        properties: [String]? = nil
    ) {
        self.entity = entity
        self.filter = filter
        self.sort = sort
        self.limit = limit
        self.offset = offset
        self.properties = properties
    }

    /// Checks it against its entity.
    ///
    /// - Throws: ``PredicateError`` for the first name or comparison that does not fit.
    package func bound(to shape: EntityShape) throws(PredicateError) -> BoundFetch {
        for name in properties ?? [] where shape.fields[WireName(name)] == nil {
            throw PredicateError(.unknownProperty, shape.unknown(name), path: PropertyPath([name]))
        }
        if let limit, limit < 0 {
            throw PredicateError(.invalidLiteral, "the limit \(limit) is negative; leave it out for no limit")
        }
        if offset < 0 { throw PredicateError(.invalidLiteral, "the offset \(offset) is negative") }
        return BoundFetch(
            filter: try filter.bound(to: shape), order: try RowOrder(sort, in: shape), limit: limit, offset: offset)
    }
}

/// A fetch that fits its entity.
package struct BoundFetch: Sendable {
    package let filter: BoundFilter
    package let order: RowOrder
    package let limit: Int?
    package let offset: Int

    /// The rows that the filter selects, in order, within offset and limit.
    ///
    /// Without sort keys the order is that of the ids.
    ///
    /// Where the rows come in the order of their ids (`rowsAreByID`), a scan without sort keys stops at the limit.
    ///
    /// - Throws: ``PredicateError`` `invalidPattern`.
    package func execute<Row: RowReader>(
        over rows: some Sequence<Row>, rowsAreByID: Bool = false
    ) throws(PredicateError) -> [Row] {
        let filter = try CompiledFilter(filter)
        if limit == 0 { return [] }
        let (end, overflows) = offset.addingReportingOverflow(limit ?? .max)
        let selected = rows.lazy.filter { filter.matches($0) }
        guard !overflows else {
            return Array((rowsAreByID && order.isByID ? Array(selected) : order.sorted(selected)).dropFirst(offset))
        }
        guard rowsAreByID, order.isByID else { return Array(order.first(end, of: selected).dropFirst(offset)) }
        return Array(selected.prefix(end).dropFirst(offset))
    }

    /// How many rows ``execute(over:rowsAreByID:)`` would give.
    package func count<Row: RowReader>(over rows: some Sequence<Row>) throws(PredicateError) -> Int {
        let filter = try CompiledFilter(filter)
        var count = 0
        for row in rows where filter.matches(row) { count += 1 }
        return min(max(0, count - offset), limit ?? .max)
    }
}
