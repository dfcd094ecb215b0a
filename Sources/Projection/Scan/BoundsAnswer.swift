import EventLog

/// What the bounds of a column say of a test, before any of its values is read.
enum BoundsAnswer {
    case none, all
    /// Perhaps for some rows.
    case some
}

extension ColumnTest {
    /// For how many rows of a block it holds, as far as the bounds tell; nil for a column without any value.
    func answer(_ bounds: ColumnBounds?) -> BoundsAnswer {
        guard let bounds else { return matches(.null) ? .all : .none }
        let ofValues = answer(from: bounds.lowest, to: bounds.highest)
        if !bounds.hasNull { return ofValues }
        switch ofValues {
        case .all: return matches(.null) ? .all : .some
        case .none: return matches(.null) ? .some : .none
        case .some: return .some
        }
    }

    /// For how many of the values, none of them null, between two others.
    private func answer(from lowest: Value?, to highest: Value?) -> BoundsAnswer {
        if case .never = self { return .none }
        if case .compare(let comparator, .null) = self { return comparator == .notEqual ? .all : .none }
        guard let lowest, let highest else { return .some }
        func orders(_ constant: Value) -> (Int, Int)? {
            guard let low = ValueOrder.compare(lowest, constant), let high = ValueOrder.compare(highest, constant)
            else { return nil }
            return (low, high)
        }
        switch self {
        case .never: return .none
        case .compare(let comparator, let constant):
            return orders(constant).map { comparator.answer(lowest: $0, highest: $1) } ?? .some
        case .between(let low, let high, let options):
            guard options.isEmpty, let toLow = orders(low), let toHigh = orders(high) else { return .some }
            if toLow.1 < 0 || toHigh.0 > 0 { return .none }
            return toLow.0 >= 0 && toHigh.1 <= 0 ? .all : .some
        case .among(let keys, let options):
            guard options.isEmpty else { return .some }
            let isOutside = keys.allSatisfy { key in
                if key.value == .null { return true }
                return orders(key.value).map { $0 > 0 || $1 < 0 } ?? false
            }
            return isOutside ? .none : .some
        case .text(let test):
            guard test.isExact, let orders = orders(.string(test.operand)) else { return .some }
            // What begins with ASCII is not before it, and begins with no more than its first bytes when it is after.
            if test.comparator == .beginsWith, test.operand.isASCII {
                return orders.1 < 0 || orders.0 > 0 && Self.passes(lowest, test.operand) ? .none : .some
            }
            return test.comparator.isTextual ? .some : test.comparator.answer(lowest: orders.0, highest: orders.1)
        }
    }

    /// Whether all strings that begin with `prefix`, which is ASCII, come before a value.
    private static func passes(_ lowest: Value, _ prefix: String) -> Bool {
        guard case .string(let lowest) = lowest, lowest.isASCII else { return false }
        return !lowest.utf8.starts(with: prefix.utf8)
    }
}

extension Comparison.Operator {
    /// For how many values between bounds that have these orders to the constant.
    fileprivate func answer(lowest: Int, highest: Int) -> BoundsAnswer {
        switch self {
        case .less: highest < 0 ? .all : lowest >= 0 ? .none : .some
        case .lessOrEqual: highest <= 0 ? .all : lowest > 0 ? .none : .some
        case .greater: lowest > 0 ? .all : highest <= 0 ? .none : .some
        case .greaterOrEqual: lowest >= 0 ? .all : highest < 0 ? .none : .some
        case .equal: lowest > 0 || highest < 0 ? .none : lowest == 0 && highest == 0 ? .all : .some
        case .notEqual: lowest > 0 || highest < 0 ? .all : lowest == 0 && highest == 0 ? .none : .some
        default: .some
        }
    }
}
