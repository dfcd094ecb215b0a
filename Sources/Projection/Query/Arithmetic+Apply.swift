import EventLog

extension Operand.Arithmetic {
    /// The result for two numbers; null when a side is null or no number, or an integer is divided by zero.
    func apply(_ a: Value, _ b: Value) -> Value {
        if let a = Self.integer(a), let b = Self.integer(b) {
            if self == .divide, b == 0 { return .null }
            let (result, overflows) = exact(a, b)
            return overflows ? .double(rounded(Double(a), Double(b))) : .int(result)
        }
        guard let a = Self.double(a), let b = Self.double(b) else { return .null }
        return .double(rounded(a, b))
    }

    private func exact(_ a: Int64, _ b: Int64) -> (Int64, Bool) {
        switch self {
        case .add: a.addingReportingOverflow(b)
        case .subtract: a.subtractingReportingOverflow(b)
        case .multiply: a.multipliedReportingOverflow(by: b)
        case .divide: a.dividedReportingOverflow(by: b)
        }
    }

    private func rounded(_ a: Double, _ b: Double) -> Double {
        switch self {
        case .add: a + b
        case .subtract: a - b
        case .multiply: a * b
        case .divide: a / b
        }
    }

    private static func integer(_ value: Value) -> Int64? {
        switch value {
        case .int(let number), .counter(let number): number
        default: nil
        }
    }

    private static func double(_ value: Value) -> Double? {
        if case .double(let number) = value { number } else { integer(value).map(Double.init) }
    }
}
