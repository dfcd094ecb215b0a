import EventLog

/// A number as a column stores it: `Int64`, or `Double` for doubles and dates.
protocol SlotNumber: Comparable, BitwiseCopyable {
    static var first: Self { get }
    static var last: Self { get }
    /// The least number that is not below, and that is above a value; nil if there is none.
    static func atLeast(_ value: Value) -> Self?
    static func above(_ value: Value) -> Self?
    /// The greatest number that is not above, and that is below a value; nil if there is none.
    static func atMost(_ value: Value) -> Self?
    static func below(_ value: Value) -> Self?
}

/// What a test asks of numbers: to lie within bounds, both included, or not to.
struct SlotRange<Number: SlotNumber> {
    /// Nil when no number lies within.
    let bounds: (low: Number, high: Number)?
    let isNegated: Bool

    static var nothing: SlotRange { SlotRange(nil, nil) }

    private init(_ low: Number?, _ high: Number?, isNegated: Bool = false) {
        if let low, let high, low <= high { bounds = (low, high) } else { bounds = nil }
        self.isNegated = isNegated
    }

    /// Nil for tests that are no range, or that compare a column of the type with values that have no order to its own.
    init?(_ test: ColumnTest, of type: ValueType) {
        func fits(_ value: Value) -> Bool {
            switch value {
            case .int, .counter, .double: type != .date
            case .date: type == .date
            default: false
            }
        }
        switch test {
        case .never: self.init(nil, nil)
        case .between(let low, let high, _):
            guard fits(low), fits(high) else { return nil }
            self.init(.atLeast(low), .atMost(high))
        case .compare(let comparator, let constant):
            guard fits(constant) else { return nil }
            switch comparator {
            case .less: self.init(.first, .below(constant))
            case .lessOrEqual: self.init(.first, .atMost(constant))
            case .greater: self.init(.above(constant), .last)
            case .greaterOrEqual: self.init(.atLeast(constant), .last)
            case .equal, .notEqual:
                self.init(.atLeast(constant), .atMost(constant), isNegated: comparator == .notEqual)
            default: return nil
            }
        case .among(let keys, _):
            guard keys.count == 1, let only = keys.first?.value, fits(only) else { return nil }
            self.init(.atLeast(only), .atMost(only))
        case .text: return nil
        }
    }
}

extension Int64: SlotNumber {
    static var first: Int64 { .min }
    static var last: Int64 { .max }

    static func atLeast(_ value: Value) -> Int64? {
        switch value {
        case .int(let number), .counter(let number): return number
        case .double(let number): return number.isNaN ? nil : clamped(number.rounded(.up), tooHigh: nil)
        default: return nil
        }
    }

    static func above(_ value: Value) -> Int64? {
        switch value {
        case .int(let number), .counter(let number): return number == .max ? nil : number + 1
        case .double(let number):
            if number < -0x1p63 { return .min }
            // Below 2^63 doubles lie 1,024 apart, so that one more cannot overflow.
            return number.isNaN ? nil : clamped(number.rounded(.down), tooHigh: nil).map { $0 + 1 }
        default: return nil
        }
    }

    static func atMost(_ value: Value) -> Int64? {
        switch value {
        case .int(let number), .counter(let number): return number
        case .double(let number): return number.isNaN || number < -0x1p63 ? nil : clamped(number.rounded(.down), tooHigh: .max)
        default: return nil
        }
    }

    static func below(_ value: Value) -> Int64? {
        switch value {
        case .int(let number), .counter(let number): return number == .min ? nil : number - 1
        case .double(let number):
            if number.isNaN || number <= -0x1p63 { return nil }
            return number >= 0x1p63 ? .max : clamped(number.rounded(.up), tooHigh: nil).map { $0 - 1 }
        default: return nil
        }
    }

    /// A whole double, or the nearest there is.
    private static func clamped(_ whole: Double, tooHigh: Int64?) -> Int64? {
        whole >= 0x1p63 ? tooHigh : whole < -0x1p63 ? .min : Int64(whole)
    }
}

extension Double: SlotNumber {
    static var first: Double { -.infinity }
    static var last: Double { .infinity }

    static func atLeast(_ value: Value) -> Double? { near(value, beyond: { $0 < 0 ? $1.nextUp : $1 }) }
    static func above(_ value: Value) -> Double? {
        near(value, beyond: { $0 <= 0 ? $1.nextUp : $1 }).flatMap { stays($0, value) }
    }
    static func atMost(_ value: Value) -> Double? { near(value, beyond: { $0 > 0 ? $1.nextDown : $1 }) }
    static func below(_ value: Value) -> Double? {
        near(value, beyond: { $0 >= 0 ? $1.nextDown : $1 }).flatMap { stays($0, value) }
    }

    /// The double nearest to a value, moved by what its order to the value asks for.
    private static func near(_ value: Value, beyond: (Int, Double) -> Double) -> Double? {
        switch value {
        case .double(let number), .date(let number): number.isNaN ? nil : beyond(0, number)
        case .int(let number), .counter(let number):
            beyond(-(ValueOrder.compare(number, Double(number)) ?? 0), Double(number))
        default: nil
        }
    }

    /// Nil where nothing is beyond an infinity.
    private static func stays(_ number: Double, _ value: Value) -> Double? {
        switch value {
        case .double(let bound), .date(let bound): number == bound ? nil : number
        default: number
        }
    }
}
