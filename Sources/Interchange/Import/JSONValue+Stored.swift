import Projection
import Strandline

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension JSONValue {
    /// The value as a column of a type keeps it; nil when the type cannot hold it.
    ///
    /// Text is never taken for a number, but for what JSON has no number for: `"nan"`, `"inf"` and `"-inf"`. A date is milliseconds since 1970 or ISO 8601 text, a UUID and a reference their text,
    /// data base64. Arrays and objects become their JSON text.
    func stored(as type: ValueType) -> Value? {
        switch (self, type) {
        case (.null, .counter), (.null, .edges): nil
        case (.null, _): .null
        case (.bool(let flag), .bool): .bool(flag)
        case (.integer(let integer), .int): .int(integer)
        case (.integer(let integer), .counter): .counter(integer)
        case (.integer(let integer), .double): Double(exactly: integer).map { .double($0) }
        case (.integer(let integer), .date): Self.date(milliseconds: Double(integer))
        case (.number(let number), .double): .double(number)
        case (.number(let number), .date): Self.date(milliseconds: number)
        case (.string(let text), .string): .string(text)
        case (.string(let text), .double): ExactNumber.special(text).map { .double($0) }
        case (.string(let text), .date): DateLiteral.seconds(text).map { .date($0) }
        case (.string(let text), .uuid): UUID(uuidString: text)?.storedValue
        case (.string(let text), .data): Data(base64Encoded: text)?.storedValue
        case (.string(let text), .reference): ObjectID.parse(uri: text).map { .reference($0.id) }
        case (.array, .string), (.object, .string): .string(text)
        case (.array, .data), (.object, .data): .data(sortedText)
        default: nil
        }
    }

    /// The type whose columns hold values of this kind as they are; nil for null.
    var exactType: ValueType? {
        switch self {
        case .null: nil
        case .bool: .bool
        case .integer: .int
        case .number: .double
        case .string, .array, .object: .string
        }
    }

    private static func date(milliseconds: Double) -> Value {
        let secondsFrom1970To2001 = 978_307_200.0
        return .date(milliseconds / 1_000 - secondsFrom1970To2001)
    }

    /// As Codable values are stored: with sorted keys.
    private var sortedText: [UInt8] {
        var bytes: [UInt8] = []
        JSONText.append(self, to: &bytes, sortedKeys: true)
        return bytes
    }
}
