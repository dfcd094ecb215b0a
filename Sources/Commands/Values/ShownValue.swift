package import Strandline

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value as commands show it, with references as URIs.
package enum ShownValue: Equatable, Sendable {
    case value(Value)
    case reference(uri: String)
    /// What a to-many relationship leads to.
    case references(uris: [String])

    static let null = ShownValue.value(.null)
}

// For people.
extension ShownValue {
    /// One line, whatever is in it.
    package var text: String {
        switch self {
        case .value(let value): Self.text(value)
        case .reference(let uri): uri
        case .references(let uris): "[" + uris.joined(separator: ", ") + "]"
        }
    }

    /// As it reads in the history, where strings need their quotation marks.
    package var quoted: String {
        guard case .value(.string) = self else { return text }
        return "\"\(text)\""
    }

    /// Numbers are aligned at their ends.
    var isNumber: Bool {
        switch self {
        case .value(.int), .value(.double), .value(.counter): true
        default: false
        }
    }

    private static func text(_ value: Value) -> String {
        switch value {
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .int(let number), .counter(let number): String(number)
        case .double(let number): ExactNumber.text(number)
        case .string(let text): singleLine(text)
        case .date(let seconds): DateLiteral.exact(seconds)
        case .uuid(let bits): IdentifierLiteral.text(bits)
        case .data(let bytes): Data(bytes).base64EncodedString()
        case .blob(let blob): "blob of \(ProgressLine.bytes(blob.length))"
        case .reference(let object): object.description
        }
    }

    /// Line breaks and other control characters as escapes, so that a row stays a row.
    private static func singleLine(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar == "\n" {
                result += "\\n"
            } else if scalar == "\t" {
                result += "\\t"
            } else if scalar.properties.generalCategory == .control {
                result += scalar.escaped(asASCII: true)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
