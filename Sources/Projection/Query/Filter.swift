/// Which objects of an entity are meant.
///
/// Every way to write a predicate (closures, `#Predicate`, text) gives one of these.
///
/// Logic has two values. A comparison with null is false, with three exceptions: `null == null`, `null != x` for an `x` that
/// is set, and `IN` a list that contains null, are true. `NOT` flips, so `NOT (views > 5)` holds where `views` is null. NaN
/// compares as null does, except that it does not equal itself.
///
/// ```swift
/// let filter = try Filter("magnitude > 2.5 AND place CONTAINS[cd] 'alaska'")
/// ```
public indirect enum Filter: Hashable, Sendable {
    /// `TRUEPREDICATE` or `FALSEPREDICATE`.
    case always(Bool)
    case comparison(Comparison)
    /// All of them; true when there are none.
    case and([Filter])
    /// At least one of them; false when there are none.
    case or([Filter])
    case not(Filter)

    /// Reads a predicate written as NSPredicate writes it.
    ///
    /// - Throws: ``PredicateError`` with the position of the first mistake.
    public init(_ text: String) throws(PredicateError) {
        self = try PredicateParser.parse(text).filter
    }

    /// The comparison `left operator right`.
    public static func compare(
        _ left: Operand, _ operator: Comparison.Operator, _ right: Operand, options: TextOptions = []
    ) -> Filter {
        .comparison(Comparison(left, `operator`, [right], options: options))
    }

    /// Both; nested conjunctions become one flat one.
    public static func && (a: Filter, b: Filter) -> Filter {
        switch (a, b) {
        case (.and(let a), .and(let b)): .and(a + b)
        case (.and(let a), _): .and(a + [b])
        case (_, .and(let b)): .and([a] + b)
        default: .and([a, b])
        }
    }

    /// Either; nested disjunctions become one flat one.
    public static func || (a: Filter, b: Filter) -> Filter {
        switch (a, b) {
        case (.or(let a), .or(let b)): .or(a + b)
        case (.or(let a), _): .or(a + [b])
        case (_, .or(let b)): .or([a] + b)
        default: .or([a, b])
        }
    }

    public static prefix func ! (a: Filter) -> Filter { .not(a) }
}
