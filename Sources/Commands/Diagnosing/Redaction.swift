import Interchange
import Strandline

/// Takes out of texts what is not for others: where the store is, the names of blobs, which tell whether somebody has a content, and the words of
/// commands.
struct Redaction {
    private let root: String

    /// - Parameter root: the directory of the store.
    init(root: String) { self.root = root.hasSuffix("/") ? String(root.dropLast()) : root }

    func text(_ text: String) -> String {
        var text = RecordField.shortened(peer: text)
        if !root.isEmpty, root != "." {
            text = text.replacing(root + "/", with: "").replacing(root, with: "STORE")
        }
        return Self.withoutBlobs(text)
    }

    func json(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(self.text(text))
        case .array(let elements): .array(elements.map(json))
        case .object(let members): .object(members.map { JSONMember($0.key, json($0.value)) })
        default: value
        }
    }

    /// A line of a log file; one that is no record is left out.
    func line(_ line: [UInt8]) -> [UInt8]? {
        guard let record = ShownRecord(line: line) else { return nil }
        return Array(json(record.json).text.utf8) + [UInt8(ascii: "\n")]
    }

    /// Runs of 64 hexadecimal digits become their first eight.
    private static func withoutBlobs(_ text: String) -> String {
        var result = ""
        var digits = ""
        func flush() {
            result += digits.utf8.count >= 64 ? digits.prefix(8) + "…" : digits
            digits = ""
        }
        for character in text {
            if character.isASCII, character.isHexDigit {
                digits.append(character)
            } else {
                flush()
                result.append(character)
            }
        }
        flush()
        return result
    }
}
