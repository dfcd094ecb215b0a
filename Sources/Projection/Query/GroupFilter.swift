import EventLog
import Storage

/// A filter over groups: it speaks of their keys and figures by the names they were asked for under.
struct GroupFilter: Sendable {
    /// A group as a filter sees it.
    private struct GroupRow: RowReader {
        let group: GroupedFetch.Group
        /// Where the value of each name is: keys first, figures after them.
        let places: [String: Int]

        /// No filter over groups can ask for it, since they have no `SELF`.
        var id: ObjectID { ObjectID(replica: ReplicaID(.zero), sequence: 0, index: 0) }

        func value(of property: Property) -> Value {
            guard let place = places[property.name] else { return .null }
            return place < group.keys.count ? group.keys[place] : group.values[place - group.keys.count]
        }

        func related(by name: String) -> [GroupRow] { [] }
    }

    private let filter: BoundFilter
    private let places: [String: Int]

    /// - Throws: ``PredicateError`` for a name that is neither a key nor a figure, or a comparison that does not fit.
    init(
        _ filter: Filter, keys: [(path: PropertyPath, type: ValueType)], figures: [(aggregate: Aggregate, type: ValueType)]
    ) throws(PredicateError) {
        let columns = keys.map { ($0.path.joined, $0.type) } + figures.map { ($0.aggregate.joined, $0.type) }
        var places: [String: Int] = [:]
        var fields: [WireName: EntityShape.Field] = [:]
        for (index, (name, type)) in columns.enumerated() where places[name] == nil {
            places[name] = index
            fields[WireName(name)] = EntityShape.Field(types: [type])
        }
        self.places = places
        self.filter = try filter.withJoinedPaths.bound(to: EntityShape(name: "the group", fields: fields))
    }

    /// The groups it holds for.
    ///
    /// - Throws: ``PredicateError`` `invalidPattern`.
    func select(_ groups: [GroupedFetch.Group]) throws(PredicateError) -> [GroupedFetch.Group] {
        let filter = try CompiledFilter(filter)
        return groups.filter { filter.matches(GroupRow(group: $0, places: places)) }
    }
}

extension PropertyPath {
    /// One name for the whole path.
    fileprivate var joined: String { names.joined(separator: ".") + (countsObjects ? ".@count" : "") }
}

extension Aggregate {
    fileprivate var joined: String { path.map { "\(function.rawValue):\($0.joined)" } ?? function.rawValue }
}

extension Filter {
    /// The same filter with each path as one name.
    fileprivate var withJoinedPaths: Filter {
        switch self {
        case .always: return self
        case .not(let filter): return .not(filter.withJoinedPaths)
        case .and(let filters): return .and(filters.map(\.withJoinedPaths))
        case .or(let filters): return .or(filters.map(\.withJoinedPaths))
        case .comparison(var comparison):
            comparison.left = comparison.left.withJoinedPaths
            comparison.right = comparison.right.map(\.withJoinedPaths)
            return .comparison(comparison)
        }
    }
}

extension Operand {
    fileprivate var withJoinedPaths: Operand {
        switch self {
        case .constant: self
        case .path(let path): .path(PropertyPath([path.joined]))
        case .arithmetic(let left, let operation, let right):
            .arithmetic(left.withJoinedPaths, operation, right.withJoinedPaths)
        }
    }
}
