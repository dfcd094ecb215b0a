package import Interchange
import Strandline

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// For programs.
extension ShownValue {
    /// Dates are ISO 8601 texts in UTC with all their digits, numbers that JSON does not have `"nan"`, `"inf"` and `"-inf"`, data is base64, a blob is `{"blob":ID,"length":BYTES}`, a reference a URI.
    package var json: JSONValue {
        switch self {
        case .value(let value): Self.json(value)
        case .reference(let uri): .string(uri)
        case .references(let uris): .array(uris.map { .string($0) })
        }
    }

    private static func json(_ value: Value) -> JSONValue {
        switch value {
        case .null: .null
        case .bool(let flag): .bool(flag)
        case .int(let number), .counter(let number): .integer(number)
        case .double(let number): number.isFinite ? .number(number) : .string(ExactNumber.text(number))
        case .string(let text): .string(text)
        case .date(let seconds): .string(DateLiteral.exact(seconds))
        case .uuid(let bits): .string(IdentifierLiteral.text(bits))
        case .data(let bytes): .string(Data(bytes).base64EncodedString())
        case .blob(let blob):
            .object([
                JSONMember("blob", .string(blob.id.description)),
                JSONMember("length", .integer(Int64(clamping: blob.length))),
            ])
        case .reference(let object): .string(object.description)
        }
    }
}
