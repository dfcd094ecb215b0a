import EventLog
import Projection
import Storage

/// Predicates, sort orders and groups as their documentation describes them, row by row over dictionaries.
///
/// Nothing of the engine's evaluation is used: only the trees it is given.
struct NaiveEvaluator {
    let world: World
    /// What patterns of MATCHES mean, by their text.
    var patterns: [String: NaivePattern] = [:]

    /// The rows that a filter holds for, as they were created.
    func rows(of entity: String, where filter: Filter) -> [World.Row] {
        world.rows(of: entity).filter { holds(filter, $0) }
    }

    func holds(_ filter: Filter, _ row: World.Row) -> Bool {
        switch filter {
        case .always(let holds): holds
        case .not(let filter): !holds(filter, row)
        case .and(let filters): filters.allSatisfy { holds($0, row) }
        case .or(let filters): filters.contains { holds($0, row) }
        case .comparison(let comparison): holds(comparison, row)
        }
    }

    private func holds(_ comparison: Comparison, _ row: World.Row) -> Bool {
        let right = comparison.right.map { value($0, row) }
        guard let quantifier = comparison.quantifier, case .path(let path) = comparison.left else {
            return compares(value(comparison.left, row), comparison, right)
        }
        let all = values(path, row)
        switch quantifier {
        case .any: return all.contains { compares($0, comparison, right) }
        case .all: return all.allSatisfy { compares($0, comparison, right) }
        case .none: return !all.contains { compares($0, comparison, right) }
        }
    }

    private func compares(_ left: Value, _ comparison: Comparison, _ right: [Value]) -> Bool {
        let options = comparison.options
        func order(_ other: Value) -> Int? { Self.order(left, other, options) }
        switch comparison.operator {
        case .in: return right.contains { left == .null && $0 == .null || order($0) == 0 }
        case .between:
            guard let low = order(right[0]), let high = order(right[1]) else { return false }
            return low >= 0 && high <= 0
        case .equal: return left == .null && right[0] == .null || order(right[0]) == 0
        case .notEqual:
            if left == .null && right[0] == .null { return false }
            return order(right[0]) != 0
        case .less: return order(right[0]).map { $0 < 0 } ?? false
        case .lessOrEqual: return order(right[0]).map { $0 <= 0 } ?? false
        case .greater: return order(right[0]).map { $0 > 0 } ?? false
        case .greaterOrEqual: return order(right[0]).map { $0 >= 0 } ?? false
        case .contains, .beginsWith, .endsWith, .like, .matches:
            guard case .string(let text) = left, case .string(let other) = right[0] else { return false }
            return compares(text, comparison.operator, other, options)
        }
    }

    private func compares(_ text: String, _ comparator: Comparison.Operator, _ other: String, _ options: TextOptions) -> Bool {
        switch comparator {
        case .like: return NaiveText.isLike(text, other, options)
        case .matches: return patterns[other]?.matches(text, options) ?? false
        default: break
        }
        let (text, other) = (NaiveText.fold(text, options), NaiveText.fold(other, options))
        switch comparator {
        case .contains: return NaiveText.contains(text, other)
        case .beginsWith: return Array(text).starts(with: Array(other))
        default: return Array(text).reversed().starts(with: Array(other).reversed())
        }
    }
}

// Values.
extension NaiveEvaluator {
    func value(_ operand: Operand, _ row: World.Row) -> Value {
        switch operand {
        case .constant(let value): return value
        case .path(let path): return value(path, row)
        case .arithmetic(let left, let operation, let right):
            return Self.calculate(value(left, row), operation, value(right, row))
        }
    }

    /// The value of a path that has one; null where a step leads nowhere.
    func value(_ path: PropertyPath, _ row: World.Row) -> Value {
        if path.countsObjects {
            var rows = [row]
            for name in path.names { rows = rows.flatMap { world.related(to: $0, by: name) } }
            return .int(Int64(rows.count))
        }
        return values(path, row).first ?? .null
    }

    /// The values of a path, through however many objects.
    private func values(_ path: PropertyPath, _ row: World.Row) -> [Value] {
        guard let last = path.names.last else { return [.reference(row.id)] }
        var rows = [row]
        for name in path.names.dropLast() { rows = rows.flatMap { world.related(to: $0, by: name) } }
        return rows.flatMap { row in
            if world.model(row.entity)?.collection(last) != nil {
                return world.related(to: row, by: last).map { Value.reference($0.id) }
            }
            return [row.values[last] ?? .null]
        }
    }

    private static func calculate(_ a: Value, _ operation: Operand.Arithmetic, _ b: Value) -> Value {
        func integer(_ value: Value) -> Int64? {
            switch value {
            case .int(let number), .counter(let number): number
            default: nil
            }
        }
        func double(_ value: Value) -> Double? {
            if case .double(let number) = value { number } else { integer(value).map { Double($0) } }
        }
        if let a = integer(a), let b = integer(b) {
            if operation == .divide, b == 0 { return .null }
            let (wideA, wideB) = (Int128(a), Int128(b))
            let exact =
                switch operation {
                case .add: wideA + wideB
                case .subtract: wideA - wideB
                case .multiply: wideA * wideB
                case .divide: wideA / wideB
                }
            if let small = Int64(exactly: exact) { return .int(small) }
        }
        guard let a = double(a), let b = double(b) else { return .null }
        switch operation {
        case .add: return .double(a + b)
        case .subtract: return .double(a - b)
        case .multiply: return .double(a * b)
        case .divide: return .double(a / b)
        }
    }

    /// -1, 0 or 1; nil for null, NaN and values of different kinds.
    static func order(_ a: Value, _ b: Value, _ options: TextOptions = []) -> Int? {
        func sign<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a > b ? 1 : 0 }
        switch (a, b) {
        case (.int(let a), .int(let b)), (.int(let a), .counter(let b)), (.counter(let a), .int(let b)),
            (.counter(let a), .counter(let b)):
            return sign(a, b)
        case (.double(let a), .double(let b)), (.date(let a), .date(let b)): return a.isNaN || b.isNaN ? nil : sign(a, b)
        case (.int(let a), .double(let b)), (.counter(let a), .double(let b)):
            if b.isNaN { return nil }
            // Of 128 bits every double near the 64-bit integers has room for its whole part.
            guard abs(b) < 0x1p100 else { return b > 0 ? -1 : 1 }
            let floor = b.rounded(.down)
            return Int128(a) <= Int128(floor) ? (Int128(a) == Int128(floor) && floor == b ? 0 : -1) : 1
        case (.double, .int), (.double, .counter): return order(b, a).map { -$0 }
        case (.string(let a), .string(let b)): return NaiveText.order(NaiveText.fold(a, options), NaiveText.fold(b, options))
        case (.bool(let a), .bool(let b)): return sign(a ? 1 : 0, b ? 1 : 0)
        case (.uuid(let a), .uuid(let b)): return a.high == b.high ? sign(a.low, b.low) : sign(a.high, b.high)
        case (.data(let a), .data(let b)): return a.elementsEqual(b) ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
        case (.reference(let a), .reference(let b)): return a == b ? 0 : a < b ? -1 : 1
        default: return nil
        }
    }
}
