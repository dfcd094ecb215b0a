import EventLog
import Projection
import Simulation

/// Rows and filters over the sample model, from a seed.
struct RandomFilter {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    private mutating func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
    private mutating func pick<T>(_ choices: [T]) -> T { choices[number(below: choices.count)] }

    mutating func value(_ type: ValueType) -> Value {
        if number(below: 6) == 0 { return .null }
        switch type {
        case .string: return .string(pick(["", "a", "A", "b", "ab", "aB", "abc", "bca", "zz"]))
        case .double: return .double(Double(number(below: 13) - 4) / 2)
        case .counter: return .counter(Int64(number(below: 6)))
        default: return .int(Int64(number(below: 7) - 2))
        }
    }

    mutating func row(_ sequence: UInt64) -> SampleRow {
        var row = SampleRow(sequence)
        row.values = [.title: value(.string), .views: value(.int), .score: value(.double), .tally: value(.counter)]
        row.links["attachments"] = (0..<number(below: 4)).map { SampleRow(UInt64(100 + $0), [.size: value(.int)]) }
        if number(below: 2) == 0 { row.links["author"] = [SampleRow(99, [.authorName: value(.string)])] }
        return row
    }

    mutating func filter(depth: Int = 3, within kind: Int = -1) -> Filter {
        guard depth > 0, number(below: 4) > 0 else { return comparison() }
        switch number(below: 3) {
        case 0 where kind != 0: return .and((0..<2 + number(below: 2)).map { _ in filter(depth: depth - 1, within: 0) })
        case 1 where kind != 1: return .or((0..<2 + number(below: 2)).map { _ in filter(depth: depth - 1, within: 1) })
        default: return .not(filter(depth: depth - 1))
        }
    }

    private mutating func comparison() -> Filter {
        if number(below: 20) == 0 { return .always(number(below: 2) == 0) }
        if number(below: 3) == 0 { return text() }
        let comparator = pick(
            [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .in] as [Comparison.Operator])
        var quantifier: Comparison.Quantifier?
        var left = numeric()
        if number(below: 3) == 0 {
            quantifier = pick([.any, .all, .none] as [Comparison.Quantifier])
            left = .path(PropertyPath(["attachments", "size"]))
        }
        let count = comparator == .between ? 2 : comparator == .in ? number(below: 4) : 1
        return .comparison(Comparison(left, comparator, (0..<count).map { _ in numeric() }, quantifier: quantifier))
    }

    private mutating func numeric() -> Operand {
        switch number(below: 6) {
        case 0, 1: .constant(value(pick([.int, .double])))
        case 2: .path(PropertyPath(["attachments"], countsObjects: true))
        case 3:
            .arithmetic(
                .property("views"), pick([.add, .subtract, .multiply, .divide]), .constant(.int(Int64(number(below: 4)))))
        default: .property(pick(["views", "score", "tally"]))
        }
    }

    private mutating func text() -> Filter {
        let comparator = pick(Comparison.Operator.allCases.filter { $0 != .matches })
        let count = comparator == .between ? 2 : comparator == .in ? number(below: 4) : 1
        let right: [Operand] = (0..<count).map { _ in
            if comparator == .like { return .constant(.string(pick(["*", "a*", "?b", "*b*", "a?c", "", "A*c"]))) }
            return number(below: 5) == 0 ? .path(PropertyPath(["author", "name"])) : .constant(value(.string))
        }
        let left: Operand = number(below: 4) == 0 ? .path(PropertyPath(["author", "name"])) : .property("title")
        return .comparison(
            Comparison(
                left, comparator, right, options: pick([[], .caseInsensitive, [.caseInsensitive, .diacriticInsensitive]])))
    }
}
