package import EventLog

/// A value in a form that is the same for values that predicates and groups take as equal: 1 and 1.0, 0.0 and -0.0, strings
/// that are canonically equivalent.
///
/// NaN is one key, so that it forms one group.
package struct EqualityKey: Hashable, Sendable {
    private enum Form: Hashable {
        case null
        case integer(Int64)
        case double(UInt64)
        /// Hashed and compared by canonical equivalence, as String does.
        case string(String)
        case other(Value)
    }

    private let form: Form

    package init(_ value: Value) {
        form =
            switch value {
            case .null: .null
            case .int(let number), .counter(let number): .integer(number)
            case .double(let number): Int64(exactly: number).map(Form.integer) ?? .double(Self.bits(number))
            case .date(let seconds): .other(.date(seconds == 0 ? 0 : Double(bitPattern: Self.bits(seconds))))
            case .string(let text): .string(text)
            default: .other(value)
            }
    }

    /// A value with this key.
    var value: Value {
        switch form {
        case .null: .null
        case .integer(let number): .int(number)
        case .double(let bits): .double(Double(bitPattern: bits))
        case .string(let text): .string(text)
        case .other(let value): value
        }
    }

    private static func bits(_ number: Double) -> UInt64 { number.isNaN ? Double.nan.bitPattern : number.bitPattern }
}
