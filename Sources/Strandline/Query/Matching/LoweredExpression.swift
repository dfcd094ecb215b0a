import EventLog
import Projection

/// What a part of a `Predicate` means to a ``Filter``.
indirect enum LoweredExpression {
    /// A property, a constant, or figures from them.
    case operand(Operand)
    /// The object that the predicate is about.
    case object
    /// The objects at the other end of a to-many relationship.
    case many(PropertyPath)
    case list([Operand])
    case range(Operand, Operand, isClosed: Bool)
    /// A condition; where the operand is nil, the expression is nil instead of true or false.
    case condition(Filter, nilWith: Operand?)
    /// The first operand, or the second one where that is nil.
    case coalesced(Operand, Operand)
}

extension LoweredExpression {
    static func filter(_ filter: Filter) -> LoweredExpression { .condition(filter, nilWith: nil) }

    /// The expression as a condition, where nil does not hold; nil when it is none.
    var condition: Filter? {
        switch self {
        case .condition(let filter, _): filter
        case .operand(.constant(.bool(let holds))): .always(holds)
        case .operand(.constant), .object, .many, .list, .range: nil
        case .operand, .coalesced: compared(.equal, .operand(.constant(.bool(true))))
        }
    }

    /// The expression as a value; nil when it is none.
    var operand: Operand? {
        switch self {
        case .operand(let operand): operand
        case .object: .path(.object)
        default: nil
        }
    }

    /// A comparison with another expression; nil when a filter cannot say it.
    func compared(_ comparator: Comparison.Operator, _ other: LoweredExpression) -> Filter? {
        switch (self, other) {
        case (.coalesced(let value, let substitute), _):
            guard let held = LoweredExpression.operand(value).compared(comparator, other),
                let other = LoweredExpression.operand(substitute).compared(comparator, other)
            else { return nil }
            return !Self.isNil(value) && held || Self.isNil(value) && other
        case (_, .coalesced): return other.compared(comparator.turned, self)
        case (.condition(let filter, let nilWith), .operand(.constant(let constant))):
            return Self.compared(filter, nilWith, comparator, constant)
        case (.operand(.constant), .condition): return other.compared(comparator.turned, self)
        default:
            guard let left = operand, let right = other.operand else { return nil }
            return .compare(left, comparator, right)
        }
    }

    static func isNil(_ operand: Operand) -> Filter { .compare(operand, .equal, .constant(.null)) }

    /// A condition that may be nil against true, false or nil.
    private static func compared(
        _ filter: Filter, _ nilWith: Operand?, _ comparator: Comparison.Operator, _ constant: Value
    ) -> Filter? {
        let equal: Filter
        switch constant {
        case .bool(true): equal = filter
        case .bool(false): equal = nilWith.map { !filter && !isNil($0) } ?? !filter
        case .null: equal = nilWith.map { isNil($0) } ?? .always(false)
        default: return nil
        }
        switch comparator {
        case .equal: return equal
        case .notEqual: return !equal
        default: return nil
        }
    }
}

extension Comparison.Operator {
    /// The comparison that holds with sides exchanged.
    fileprivate var turned: Comparison.Operator {
        switch self {
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        default: self
        }
    }
}
