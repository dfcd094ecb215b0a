/// One JSON value, with what the text said kept apart: `1` is an integer, `1.0` and `1e0` are numbers.
package enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// Always finite when it comes from ``JSONParser``.
    case number(Double)
    case string(String)
    case array([JSONValue])
    /// The members in the order of the text, no key twice.
    case object([JSONMember])

    /// The value of an object's member; nil where the value is no object or has no such member.
    package subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.value(of: key)
    }

    /// What it is in an English sentence: "a string", "an object".
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The value as compact JSON text.
    package var text: String {
        var bytes: [UInt8] = []
        JSONText.append(self, to: &bytes, sortedKeys: false)
        return String(decoding: bytes, as: UTF8.self)
    }
}
