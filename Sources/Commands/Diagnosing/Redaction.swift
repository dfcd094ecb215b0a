import Interchange
import Strandline

/// Takes out of texts what is not for others: where the store is, the names of blobs, which tell whether somebody has a content, and the words of
/// commands.
package struct Redaction {
    private let root: String

    /// - Parameter root: the directory of the store.
    package init(root: String) { self.root = root.hasSuffix("/") ? String(root.dropLast()) : root }

    package func text(_ text: String) -> String {
        var text = RecordField.shortened(peer: text)
        if !root.isEmpty, root != "." {
            text = Self.replacing(root + "/", in: text, with: "")
            // A bare word may be any word of a sentence, "store" for one; it says nothing of where the store is.
            if root.contains("/") { text = Self.replacing(root, in: text, with: "STORE", isWhole: true) }
        }
        return Self.withoutBlobs(text)
    }

    /// Replaces a path, and no part of a longer name.
    private static func replacing(_ path: String, in text: String, with other: String, isWhole: Bool = false) -> String {
        var result = ""
        var rest = text[...]
        while let found = rest.firstRange(of: path) {
            let isBegun = (rest[..<found.lowerBound].last ?? result.last).map(isOfName) ?? false
            let isContinued = isWhole && (rest[found.upperBound...].first.map(isOfName) ?? false)
            result += rest[..<found.lowerBound]
            result += isBegun || isContinued ? path : other
            rest = rest[found.upperBound...]
        }
        return result + rest
    }

    private static func isOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "/._-".contains(character)
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
    package func line(_ line: [UInt8]) -> [UInt8]? {
        guard let record = ShownRecord(line: line) else { return nil }
        // Paths in records are those within the store: only one that is whole can lead to it.
        let redaction = root.hasPrefix("/") ? self : Redaction(root: "")
        return Array(redaction.json(record.json).text.utf8) + [UInt8(ascii: "\n")]
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
