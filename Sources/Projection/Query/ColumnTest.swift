package import EventLog

/// A comparison of which everything but one value is known: what a scan asks of each value of a column.
///
/// The cases are open to scans that read a column's storage directly; ``matches(_:)`` is what they must agree with.
package enum ColumnTest {
    /// Of non-strings, and of anything with null. The operator is one of the six that compare.
    case compare(Comparison.Operator, Value)
    /// Within bounds, both included; neither is null, and both are folded already.
    case between(Value, Value, TextOptions)
    /// One of these values. Null is among them only if the list named it, NaN never. Already folded.
    case among(Set<EqualityKey>, TextOptions)
    case text(TextTest)
    case never

    /// Prepares what stands on the right-hand side: two values for `between`, any number for `in`, else one.
    ///
    /// - Throws: ``PredicateError`` `invalidPattern` for a regular expression that cannot be compiled.
    init(_ comparator: Comparison.Operator, _ right: [Value], options: TextOptions) throws(PredicateError) {
        switch comparator {
        case .in:
            let folding = TextFolding(options: options)
            let keys = right.filter { $0 == .null || ValueOrder.compare($0, $0) != nil }.map { EqualityKey(folding.fold($0)) }
            self = .among(Set(keys), options)
        case .between:
            let bounds = right.map(TextFolding(options: options).fold)
            guard bounds.count == 2, let order = ValueOrder.compare(bounds[0], bounds[1]), order <= 0 else {
                self = .never
                return
            }
            self = .between(bounds[0], bounds[1], options)
        default:
            if case .string(let text) = right.first {
                self = .text(try TextTest(comparator, text, options: options))
            } else if comparator.isTextual {
                self = .never
            } else {
                self = .compare(comparator, right.first ?? .null)
            }
        }
    }

    package func matches(_ value: Value) -> Bool {
        switch self {
        case .never: return false
        case .compare(let comparator, let constant):
            if let order = ValueOrder.compare(value, constant) { return comparator.holds(for: order) }
            if comparator == .equal { return value == .null && constant == .null }
            return comparator == .notEqual && (value != .null || constant != .null)
        case .between(let low, let high, let options):
            let value = TextFolding(options: options).fold(value)
            guard let fromLow = ValueOrder.compare(value, low), let toHigh = ValueOrder.compare(value, high) else {
                return false
            }
            return fromLow >= 0 && toHigh <= 0
        case .among(let keys, let options):
            return keys.contains(EqualityKey(TextFolding(options: options).fold(value)))
        case .text(let test):
            guard case .string(let text) = value else { return test.comparator == .notEqual }
            return test.matches(text)
        }
    }
}

extension Comparison.Operator {
    /// Whether it holds between two values of this order.
    ///
    /// False for operators that do not ask for one.
    package func holds(for order: Int) -> Bool {
        switch self {
        case .equal: order == 0
        case .notEqual: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        default: false
        }
    }
}

extension TextFolding {
    /// The value with its text folded, if it is one.
    func fold(_ value: Value) -> Value {
        if case .string(let text) = value, !options.isEmpty { .string(fold(text)) } else { value }
    }
}
