import EventLog
import Projection

/// What an aggregate must come to.
enum NaiveFigure {
    /// These very bits and bytes.
    case stored(Value)
    /// This sum; zeros are equal, and so is NaN to NaN.
    case exactly(Value)
    /// A sum of doubles, corrected for what each addition rounds away: within a little of the real sum.
    case near(Double, within: Double)
    /// Doubles whose sum leaves the doubles on the way, so that it depends on the order of additions.
    case unspecified

    /// - Parameter values: nil for a count of rows.
    init(_ function: Aggregate.Function, of values: [Value]?, rows: Int) {
        guard let values = values?.filter({ $0 != .null }) else {
            self = .stored(.int(Int64(rows)))
            return
        }
        switch function {
        case .count: self = .stored(.int(Int64(values.count)))
        case .min: self = .stored(Self.extreme(values, -1))
        case .max: self = .stored(Self.extreme(values, 1))
        case .sum: self = Self.sum(values)
        case .avg: self = values.isEmpty ? .exactly(.null) : Self.sum(values).divided(by: values.count)
        }
    }

    /// Whether a result is what it must be.
    func isMet(by result: Value) -> Bool {
        switch (self, result) {
        case (.unspecified, .double): return true
        case (.near(let sum, let tolerance), .double(let number)): return abs(sum - number) <= tolerance
        case (.exactly(.double(let sum)), .double(let number)): return sum == number || sum.isNaN && number.isNaN
        case (.stored(let value), _), (.exactly(let value), _): return value == result
        default: return false
        }
    }

    private static func extreme(_ values: [Value], _ direction: Int) -> Value {
        var extreme = Value.null
        for value in values where NaiveEvaluator.order(value, value) != nil {
            let order = NaiveEvaluator.order(value, extreme)
            if order == nil || order == direction { extreme = value }
            if order == 0 { extreme = NaiveEvaluator.leastSpelling(extreme, value) }
        }
        // Figures of counters are integers.
        if case .counter(let number) = extreme { return .int(number) }
        return extreme
    }

    private static func sum(_ values: [Value]) -> NaiveFigure {
        var integers: Int128 = 0
        var doubles: [Double] = []
        for value in values {
            switch value {
            case .int(let number), .counter(let number): integers += Int128(number)
            case .double(let number): doubles.append(number)
            default: break
            }
        }
        if doubles.isEmpty { return .exactly(Int64(exactly: integers).map { .int($0) } ?? .double(Double(integers))) }
        let plain = doubles.reduce(0, +)
        if doubles.contains(where: { !$0.isFinite }) {
            let isOverflown = !doubles.filter(\.isFinite).reduce(0, { $0 + abs($1) }).isFinite
            return isOverflown ? .unspecified : .exactly(.double(plain))
        }
        let magnitude = doubles.reduce(0) { $0 + abs($1) }
        guard magnitude.isFinite else { return .unspecified }
        let exact = exactSum(doubles)
        let slack = Double(doubles.count) * 0x1p-52
        return .near(exact, within: 2 * exact.ulp + slack * slack * magnitude)
    }

    private func divided(by count: Int) -> NaiveFigure {
        switch self {
        case .exactly(.int(let number)): return .exactly(.double(Double(number) / Double(count)))
        case .exactly(.double(let number)): return .exactly(.double(number / Double(count)))
        case .near(let sum, let tolerance):
            let mean = sum / Double(count)
            return .near(mean, within: tolerance / Double(count) + mean.ulp)
        default: return self
        }
    }

    /// The sum as if with unlimited digits.
    ///
    /// What each addition rounds away is kept as an addend of its own
    /// (J. R. Shewchuk, *Adaptive Precision Floating-Point Arithmetic*, 1997).
    private static func exactSum(_ numbers: [Double]) -> Double {
        var parts: [Double] = []
        for number in numbers {
            var rest = number
            var kept: [Double] = []
            for part in parts {
                let (large, small) = abs(rest) >= abs(part) ? (rest, part) : (part, rest)
                let sum = large + small
                let lost = small - (sum - large)
                if lost != 0 { kept.append(lost) }
                rest = sum
            }
            parts = kept + [rest]
        }
        return parts.reversed().reduce(0, +)
    }
}
