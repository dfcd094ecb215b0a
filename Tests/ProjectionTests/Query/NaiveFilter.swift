import EventLog
import Projection
import Simulation

/// The definition of predicates that fast evaluation is checked against, for ASCII strings, integers below 2^40 and halves.
enum NaiveFilter {
    static func matches(_ filter: Filter, _ row: SampleRow) -> Bool {
        switch filter {
        case .always(let holds): holds
        case .not(let filter): matches(filter, row) ? false : true
        case .and(let filters): filters.filter { !matches($0, row) }.isEmpty
        case .or(let filters): filters.filter { matches($0, row) }.count > 0
        case .comparison(let comparison): matches(comparison, row)
        }
    }

    private static func matches(_ comparison: Comparison, _ row: SampleRow) -> Bool {
        let right = comparison.right.map { values($0, row)[0] }
        let results = values(comparison.left, row).map { holds($0, comparison.operator, right, comparison.options) }
        switch comparison.quantifier {
        case nil: return results[0]
        case .any: return results.contains(true)
        case .all: return !results.contains(false)
        case .some(.none): return !results.contains(true)
        }
    }

    private static func values(_ operand: Operand, _ row: SampleRow) -> [Value] {
        switch operand {
        case .constant(let value): return [value]
        case .arithmetic(let a, let operation, let b):
            guard case .int(let a) = values(a, row)[0], case .int(let b) = values(b, row)[0] else { return [.null] }
            switch operation {
            case .add: return [.int(a + b)]
            case .subtract: return [.int(a - b)]
            case .multiply: return [.int(a * b)]
            case .divide: return [b == 0 ? .null : .int(a / b)]
            }
        case .path(let path):
            if path.names[0] == "attachments" {
                let rows = row.related(by: "attachments")
                return path.countsObjects ? [.int(Int64(rows.count))] : rows.map { $0.value(of: .size) }
            }
            if path.names[0] == "author" { return [row.related(by: "author").first?.value(of: .authorName) ?? .null] }
            return [row.values.first { $0.key.name == path.names[0] }?.value ?? .null]
        }
    }

    private static func holds(_ a: Value, _ comparator: Comparison.Operator, _ right: [Value], _ options: TextOptions) -> Bool {
        switch comparator {
        case .in: return right.contains { holds(a, .equal, [$0], options) }
        case .between: return holds(a, .greaterOrEqual, [right[0]], options) && holds(a, .lessOrEqual, [right[1]], options)
        default: break
        }
        let b = right[0]
        if a == .null || b == .null {
            return comparator == .equal ? a == b : comparator == .notEqual ? a != b : false
        }
        if case .string(let a) = a, case .string(let b) = b {
            let ignoresCase = options.contains(.caseInsensitive)
            return holds(letters(a, ignoresCase), comparator, letters(b, ignoresCase))
        }
        return compare(comparator, halves(a) < halves(b), halves(a) == halves(b))
    }

    private static func holds(_ a: [UInt8], _ comparator: Comparison.Operator, _ b: [UInt8]) -> Bool {
        switch comparator {
        case .contains: (0...a.count).contains { a.dropFirst($0).starts(with: b) }
        case .beginsWith: a.starts(with: b)
        case .endsWith: a.reversed().starts(with: b.reversed())
        case .like: like(a[...], b[...])
        default: compare(comparator, a.lexicographicallyPrecedes(b), a == b)
        }
    }

    private static func like(_ text: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        if first == UInt8(ascii: "*") {
            return like(text, pattern.dropFirst()) || (!text.isEmpty && like(text.dropFirst(), pattern))
        }
        return !text.isEmpty && (first == UInt8(ascii: "?") || first == text.first)
            && like(text.dropFirst(), pattern.dropFirst())
    }

    private static func letters(_ text: String, _ ignoresCase: Bool) -> [UInt8] {
        text.utf8.map { ignoresCase && (65...90).contains($0) ? $0 + 32 : $0 }
    }

    private static func halves(_ value: Value) -> Int128 {
        switch value {
        case .int(let number), .counter(let number): Int128(number) * 2
        case .double(let number): Int128(number * 2)
        default: 0
        }
    }

    private static func compare(_ comparator: Comparison.Operator, _ isLess: Bool, _ isEqual: Bool) -> Bool {
        switch comparator {
        case .equal: isEqual
        case .notEqual: !isEqual
        case .less: isLess
        case .lessOrEqual: isLess || isEqual
        case .greater: !isLess && !isEqual
        case .greaterOrEqual: !isLess
        default: false
        }
    }
}
