import EventLog

/// A comparison of two columns of numbers, or of dates, of a row itself.
struct ColumnPair {
    let left: Property
    let right: Property
    private let comparator: Comparison.Operator

    /// Nil for other comparisons, and for columns that are not read from blocks.
    init?(_ comparison: BoundComparison, _ unresolved: Set<Property>) {
        guard case .path(let left) = comparison.left, let left = left.ownColumn, comparison.right.count == 1,
            case .path(let right) = comparison.right[0], let right = right.ownColumn
        else { return nil }
        switch comparison.operator {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: break
        default: return nil
        }
        let isOrdered = left.type.isNumeric && right.type.isNumeric || left.type == .date && right.type == .date
        if !isOrdered || unresolved.contains(left) || unresolved.contains(right) { return nil }
        self.left = left
        self.right = right
        comparator = comparison.operator
    }

    /// The rows, among some, for which it holds: what ``ColumnTest/matches(_:)`` says of each.
    func select(_ left: ColumnBlock?, _ right: ColumnBlock?, among rows: RowSelection) -> RowSelection {
        if let left, let right, left.cells == nil, right.cells == nil {
            switch (left.slots, right.slots) {
            case (.ints(let a), .ints(let b)): return select(a, b, among: rows)
            case (.doubles(let a), .doubles(let b)): return select(a, b, among: rows)
            default: break
            }
        }
        return rows.filter { row in
            ColumnTest.compare(comparator, right?.value(row) ?? .null).matches(left?.value(row) ?? .null)
        }
    }

    private func select<Number: SlotNumber>(_ a: [Number], _ b: [Number], among rows: RowSelection) -> RowSelection {
        // Of NaN only `!=` holds, which is what these operators say.
        switch comparator {
        case .equal: rows.filter { a[$0] == b[$0] }
        case .notEqual: rows.filter { a[$0] != b[$0] }
        case .less: rows.filter { a[$0] < b[$0] }
        case .lessOrEqual: rows.filter { a[$0] <= b[$0] }
        case .greater: rows.filter { a[$0] > b[$0] }
        default: rows.filter { a[$0] >= b[$0] }
        }
    }
}
