public import Projection

/// A property in the closure of a predicate.
///
/// Comparing it gives a `Filter`.
///
/// Logic has two values: `$0.code > x` is false where `code` is nil, `$0.code != x` is true there, and `!` flips.
public struct PropertyExpression<V: Storable>: Sendable {
    let operand: Operand
    let quantifier: Comparison.Quantifier?

    init(_ names: [String], _ quantifier: Comparison.Quantifier?) {
        self.init(.path(PropertyPath(names)), quantifier)
    }

    init(_ operand: Operand, _ quantifier: Comparison.Quantifier?) {
        self.operand = operand
        self.quantifier = quantifier
    }

    func compare(_ operator: Comparison.Operator, _ right: [Operand], _ options: TextOptions = []) -> Filter {
        .comparison(Comparison(operand, `operator`, right, options: options, quantifier: quantifier))
    }

    func compare(_ operator: Comparison.Operator, _ value: V) -> Filter { compare(`operator`, [.constant(value.storedValue)]) }
}

extension PropertyExpression {
    public static func == (a: Self, b: V) -> Filter { a.compare(.equal, b) }
    public static func != (a: Self, b: V) -> Filter { a.compare(.notEqual, b) }
    public static func < (a: Self, b: V) -> Filter { a.compare(.less, b) }
    public static func <= (a: Self, b: V) -> Filter { a.compare(.lessOrEqual, b) }
    public static func > (a: Self, b: V) -> Filter { a.compare(.greater, b) }
    public static func >= (a: Self, b: V) -> Filter { a.compare(.greaterOrEqual, b) }

    public static func == (a: Self, b: Self) -> Filter { a.compare(.equal, [b.operand]) }
    public static func != (a: Self, b: Self) -> Filter { a.compare(.notEqual, [b.operand]) }
    public static func < (a: Self, b: Self) -> Filter { a.compare(.less, [b.operand]) }
    public static func <= (a: Self, b: Self) -> Filter { a.compare(.lessOrEqual, [b.operand]) }
    public static func > (a: Self, b: Self) -> Filter { a.compare(.greater, [b.operand]) }
    public static func >= (a: Self, b: Self) -> Filter { a.compare(.greaterOrEqual, [b.operand]) }

    /// Whether the property is one of the values: `$0.status.isIn([.draft, .published])`.
    public func isIn(_ values: some Sequence<V>) -> Filter { compare(.in, values.map { .constant($0.storedValue) }) }
}

extension PropertyExpression where V: Comparable {
    /// Whether the property lies in the range, both bounds included.
    public func isIn(_ range: ClosedRange<V>) -> Filter {
        compare(.between, [.constant(range.lowerBound.storedValue), .constant(range.upperBound.storedValue)])
    }
}
