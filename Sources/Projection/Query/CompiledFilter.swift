package import EventLog

/// A filter ready to be asked of many rows: constants are folded, sets built and patterns compiled once.
///
/// Not `Sendable`, as compiled regular expressions are not: keep the ``BoundFilter`` and compile it where it runs.
package indirect enum CompiledFilter {
    case always(Bool)
    /// A column of the row itself against constants: what a scan of columns can do without building rows.
    case column(Property, ColumnTest)
    case path(BoundPath, Comparison.Quantifier?, ColumnTest)
    /// Both sides depend on the row.
    case general(BoundComparison)
    case and([CompiledFilter])
    case or([CompiledFilter])
    case not(CompiledFilter)

    /// - Throws: ``PredicateError`` `invalidPattern` for a regular expression that cannot be compiled.
    package init(_ filter: BoundFilter) throws(PredicateError) {
        switch filter {
        case .always(let holds): self = .always(holds)
        case .not(let filter): self = .not(try CompiledFilter(filter))
        case .and(let filters):
            self = .and(try filters.map { (part) throws(PredicateError) in try CompiledFilter(part) })
        case .or(let filters):
            self = .or(try filters.map { (part) throws(PredicateError) in try CompiledFilter(part) })
        case .comparison(let comparison): self = try Self.compile(comparison)
        }
    }

    private static func compile(_ comparison: BoundComparison) throws(PredicateError) -> CompiledFilter {
        var constants: [Value] = []
        for operand in comparison.right {
            guard case .constant(let value) = operand else { return .general(comparison) }
            constants.append(value)
        }
        let test = try ColumnTest(comparison.operator, constants, options: comparison.options)
        switch comparison.left {
        case .constant(let value): return .always(test.matches(value))
        case .path(let path):
            if let property = path.ownColumn { return .column(property, test) }
            return .path(path, comparison.quantifier, test)
        case .arithmetic: return .general(comparison)
        }
    }

    /// Whether the filter selects the row.
    package func matches(_ row: some RowReader) -> Bool {
        switch self {
        case .always(let holds): holds
        case .column(let property, let test): test.matches(row.value(of: property))
        case .path(let path, let quantifier, let test): row.holds(path, quantifier, test.matches)
        case .general(let comparison): comparison.matches(row)
        case .and(let filters): filters.allSatisfy { $0.matches(row) }
        case .or(let filters): filters.contains { $0.matches(row) }
        case .not(let filter): !filter.matches(row)
        }
    }
}

extension RowReader {
    /// Whether a condition holds for the value of a path, or for as many of its values as the quantifier says.
    fileprivate func holds(_ path: BoundPath, _ quantifier: Comparison.Quantifier?, _ condition: (Value) -> Bool) -> Bool {
        switch quantifier {
        case nil: condition(value(at: path))
        case .any: containsValue(at: path, where: condition)
        case .some(.none): !containsValue(at: path, where: condition)
        case .all: !containsValue(at: path) { !condition($0) }
        }
    }

    fileprivate func value(of operand: BoundOperand) -> Value {
        switch operand {
        case .constant(let value): value
        case .path(let path): value(at: path)
        case .arithmetic(let left, let operation, let right): operation.apply(value(of: left), value(of: right))
        }
    }
}

extension BoundComparison {
    fileprivate func matches(_ row: some RowReader) -> Bool {
        // Only patterns can fail to compile, and binding allows them as constants alone.
        guard let test = try? ColumnTest(`operator`, right.map { row.value(of: $0) }, options: options) else { return false }
        if case .path(let path) = left { return row.holds(path, quantifier, test.matches) }
        return test.matches(row.value(of: left))
    }
}

extension CompiledFilter {
    /// The columns of the row itself that it reads.
    ///
    /// Relationships are not among them: see ``relationships``.
    package var columns: Set<Property> {
        var result: Set<Property> = []
        forEachPath { if let property = $0.ownColumn { result.insert(property) } }
        return result
    }

    /// The relationships of the row itself that it follows.
    package var relationships: Set<String> {
        var result: Set<String> = []
        forEachPath { if let hop = $0.hops.first { result.insert(hop.name) } }
        return result
    }

    /// Conditions that all hold for every row the filter selects, each on one column of the row itself: what an index or the
    /// bounds of a block can be asked.
    package var necessary: [(property: Property, test: ColumnTest)] {
        switch self {
        case .column(let property, let test): [(property, test)]
        case .and(let filters): filters.flatMap(\.necessary)
        default: []
        }
    }

    func forEachPath(_ body: (BoundPath) -> Void) {
        switch self {
        case .always: break
        case .column(let property, _): body(BoundPath(hops: [], end: .column(property)))
        case .path(let path, _, _): body(path)
        case .general(let comparison): for operand in [comparison.left] + comparison.right { operand.forEachPath(body) }
        case .and(let filters), .or(let filters): for filter in filters { filter.forEachPath(body) }
        case .not(let filter): filter.forEachPath(body)
        }
    }
}

extension BoundOperand {
    fileprivate func forEachPath(_ body: (BoundPath) -> Void) {
        switch self {
        case .constant: break
        case .path(let path): body(path)
        case .arithmetic(let left, _, let right):
            left.forEachPath(body)
            right.forEachPath(body)
        }
    }
}
