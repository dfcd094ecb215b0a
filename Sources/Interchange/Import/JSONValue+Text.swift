import Projection
import Strandline

// Values of files in which everything is text.
extension JSONValue {
    /// What a text is where nobody says: `true` and `false`, whole numbers and numbers as JSON writes them, else text.
    ///
    /// A number with zeros in front is text: it names something, and a number would lose them.
    var guessed: JSONValue {
        guard case .string(let text) = self else { return self }
        if text == "true" || text == "false" { return .bool(text == "true") }
        if let number = Int64(text), "\(number)" == text { return .integer(number) }
        if Self.isNumber(text), let number = Double(text), number.isFinite { return .number(number) }
        return self
    }

    /// The value as a column of a type keeps it, where the file has text for everything; nil when the type cannot hold it.
    func storedText(as type: ValueType) -> Value? {
        switch type {
        case .string, .uuid, .data, .reference: return stored(as: type)
        case .date:
            if let date = stored(as: type) { return date }
            return guessed.stored(as: type)
        case .double:
            if case .string(let text) = self, Self.isNumber(text), let number = Double(text) { return .double(number) }
            return stored(as: type)
        default: return guessed.stored(as: type)
        }
    }

    /// Whether a text is a number as JSON writes it.
    private static func isNumber(_ text: String) -> Bool {
        var bytes = text.utf8[...]
        func digits() -> Bool {
            let rest = bytes.drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            defer { bytes = rest }
            return rest.startIndex > bytes.startIndex
        }
        if bytes.first == UInt8(ascii: "-") { bytes = bytes.dropFirst() }
        if bytes.first == UInt8(ascii: "0") { bytes = bytes.dropFirst() } else if !digits() { return false }
        if bytes.first == UInt8(ascii: ".") {
            bytes = bytes.dropFirst()
            if !digits() { return false }
        }
        if bytes.first == UInt8(ascii: "e") || bytes.first == UInt8(ascii: "E") {
            bytes = bytes.dropFirst()
            if bytes.first == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "+") { bytes = bytes.dropFirst() }
            if !digits() { return false }
        }
        return bytes.isEmpty
    }
}
