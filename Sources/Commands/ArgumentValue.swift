/// A value that can be written as one argument.
package protocol ArgumentValue {
    /// What is expected, as it reads after "needs": "a whole number".
    static var expectation: String { get }
    /// Nil when the text is no such value.
    init?(argument: String)
}

extension Int: ArgumentValue {
    package static var expectation: String { "a whole number" }
    package init?(argument: String) { self.init(argument) }
}

extension UInt32: ArgumentValue {
    package static var expectation: String { "a whole number that is not negative" }
    package init?(argument: String) { self.init(argument) }
}

extension UInt64: ArgumentValue {
    package static var expectation: String { "a whole number that is not negative" }
    package init?(argument: String) { self.init(argument) }
}

extension Double: ArgumentValue {
    package static var expectation: String { "a number" }
    package init?(argument: String) {
        guard let value = Double(argument), value.isFinite else { return nil }
        self = value
    }
}

extension String: ArgumentValue {
    package static var expectation: String { "a text" }
    package init?(argument: String) { self = argument }
}

/// An enumeration of words needs only to declare the conformance.
extension ArgumentValue where Self: RawRepresentable & CaseIterable, RawValue == String {
    package static var expectation: String { "one of " + allCases.map(\.rawValue).joined(separator: ", ") }
    package init?(argument: String) { self.init(rawValue: argument) }
}
