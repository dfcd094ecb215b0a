package import EventLog

/// Figures over the objects that a filter selects, one row of them per distinct combination of some properties.
package struct GroupedFetch: Sendable {
    /// Objects that agree in all properties grouped by.
    ///
    /// Values agree when a predicate finds them equal: null with null, 1 with 1.0, canonically equivalent strings; and NaN with
    /// NaN.
    package struct Group: Hashable, Sendable {
        /// The values grouped by, each spelled as ``Spelling`` has first among the group's objects.
        package let keys: [Value]
        /// The figures, in the order they were asked for.
        package let values: [Value]

        package init(keys: [Value], values: [Value]) {
            self.keys = keys
            self.values = values
        }
    }

    /// An aggregate that fits the entity.
    package struct Figure: Sendable {
        package let function: Aggregate.Function
        /// Nil for a count of objects.
        package let path: BoundPath?
    }

    package let filter: BoundFilter
    package let keys: [BoundPath]
    package let aggregates: [Figure]
    private let having: GroupFilter?

    /// - Parameter having: which groups are meant: a filter over the properties grouped by and over figures, each named as it is
    ///   asked for. In a text a figure stands between backquotes: `` `avg:magnitude` > 2.5 ``.
    /// - Throws: ``PredicateError`` for an unknown property, one with many values, or one that the function is not for; for a
    ///   name in `having` that is not asked for.
    package init(
        filter: Filter = .always(true), groupBy: [PropertyPath], aggregates: [Aggregate], having: Filter? = nil,
        in shape: EntityShape
    ) throws(PredicateError) {
        self.filter = try filter.bound(to: shape)
        keys = try groupBy.map { (path) throws(PredicateError) in try path.bound(to: shape, use: "group by") }
        self.aggregates = try aggregates.map { (aggregate) throws(PredicateError) in
            guard let path = aggregate.path else { return Figure(function: aggregate.function, path: nil) }
            let bound = try path.bound(to: shape, use: "aggregate")
            try aggregate.check(bound.type)
            return Figure(function: aggregate.function, path: bound)
        }
        guard let having else {
            self.having = nil
            return
        }
        let keyTypes = zip(groupBy, keys).map { (path: $0, type: $1.type) }
        let figureTypes = zip(aggregates, self.aggregates).map { (aggregate: $0, type: $1.type) }
        self.having = try GroupFilter(having, keys: keyTypes, figures: figureTypes)
    }

    /// Reads a list of properties to group by, `place,year`.
    ///
    /// - Throws: ``PredicateError`` with the position of the first mistake.
    package static func parseKeys(_ text: String) throws(PredicateError) -> [PropertyPath] {
        var reader = try PathListReader(text)
        var result: [PropertyPath] = []
        repeat { result.append(try reader.path()) } while reader.accept(",")
        try reader.finish()
        return result
    }

    /// The groups, sorted by their keys, nulls first.
    ///
    /// Without keys there is exactly one, also when no object is selected.
    ///
    /// - Throws: ``PredicateError`` `invalidPattern`.
    package func execute<Row: RowReader>(over rows: some Sequence<Row>) throws(PredicateError) -> [Group] {
        let filter = try CompiledFilter(filter)
        let empty = aggregates.map { AggregateAccumulator($0.function) }
        var places: [[EqualityKey]: Int] = keys.isEmpty ? [[]: 0] : [:]
        var groups: [(keys: [Value], accumulators: [AggregateAccumulator])] = keys.isEmpty ? [([], empty)] : []
        for row in rows where filter.matches(row) {
            let values = keys.map { row.value(at: $0) }
            let key = values.map(EqualityKey.init)
            let place = places[key] ?? groups.count
            if place == groups.count {
                places[key] = place
                groups.append((values, empty))
            } else {
                for (index, value) in values.enumerated() where Spelling.precedes(value, groups[place].keys[index]) {
                    groups[place].keys[index] = value
                }
            }
            for (index, aggregate) in aggregates.enumerated() {
                if let path = aggregate.path {
                    groups[place].accumulators[index].add(row.value(at: path))
                } else {
                    groups[place].accumulators[index].addObject()
                }
            }
        }
        return try finished(groups.map { Group(keys: $0.keys, values: $0.accumulators.map(\.result)) })
    }

    /// The groups that are meant, in order.
    ///
    /// - Throws: ``PredicateError`` `invalidPattern`.
    func finished(_ groups: [Group], areInOrder: Bool = false) throws(PredicateError) -> [Group] {
        let groups = try having?.select(groups) ?? groups
        return areInOrder ? groups : GroupOrder.sorted(groups)
    }
}

extension GroupedFetch.Figure {
    /// The type of its results; a sum of integers may also be a double.
    fileprivate var type: ValueType {
        switch function {
        case .count: .int
        case .avg: .double
        case .sum: path?.type == .double ? .double : .int
        case .min, .max: path?.type == .counter ? .int : path?.type ?? .int
        }
    }
}

extension Aggregate {
    /// Whether the function has a meaning for values of the type.
    fileprivate func check(_ type: ValueType) throws(PredicateError) {
        let fits: Bool =
            switch function {
            case .count: true
            case .sum, .avg: type.isNumeric
            case .min, .max: type.isNumeric || type == .string || type == .date
            }
        if !fits {
            let needs = function == .sum || function == .avg ? "numbers" : "numbers, strings or dates"
            throw PredicateError(.typeMismatch, "\(self): \(function.rawValue) needs \(needs), not a \(type)", path: path)
        }
    }
}
