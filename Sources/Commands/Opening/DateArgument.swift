import Strandline

/// A moment, written as ISO 8601.
struct DateArgument: ArgumentValue {
    static let expectation = "a date such as 2026-11-30 or 2026-11-30T08:30:00.125Z"

    /// Milliseconds since 1970-01-01T00:00:00Z.
    let milliseconds: UInt64

    init?(argument: String) {
        guard let seconds = DateLiteral.seconds(argument), abs(seconds) < 1e12 else { return nil }
        milliseconds = UInt64(max(0, ((seconds + Self.from1970To2001) * 1000).rounded()))
    }

    private static let from1970To2001 = 978_307_200.0

    /// The text of a moment.
    static func text(_ milliseconds: UInt64) -> String {
        DateLiteral.milliseconds(Double(milliseconds) / 1000 - from1970To2001) ?? "\(milliseconds) ms after 1970"
    }
}
