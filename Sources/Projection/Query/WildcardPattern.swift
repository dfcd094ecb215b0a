/// The pattern of LIKE: `?` is one character, `*` any number of them, and a backslash takes the meaning of either away.
///
/// Time is at most the product of the lengths: after a mismatch only the latest `*` takes one character more.
struct WildcardPattern: Sendable {
    private enum Part: Equatable, Sendable {
        case character(Character)
        case one, many
    }

    private let parts: [Part]
    /// The same pattern for ASCII texts.
    let ofBytes: BytePattern

    /// Reads a pattern; what is not a wildcard in it is folded.
    init(_ pattern: String, folding: TextFolding) {
        var parts: [Part] = []
        var literal = ""
        func flush() {
            parts += folding.fold(literal).map(Part.character)
            literal = ""
        }
        var rest = pattern[...]
        while let character = rest.popFirst() {
            switch character {
            case "?":
                flush()
                parts.append(.one)
            case "*":
                flush()
                if parts.last != .many { parts.append(.many) }
            case "\\": literal.append(rest.popFirst() ?? "\\")
            default: literal.append(character)
            }
        }
        flush()
        self.parts = parts
        var bytes = BytePattern()
        for part in parts {
            switch part {
            case .character(let character): bytes.append(character)
            case .one: bytes.appendOne()
            case .many: bytes.appendMany()
            }
        }
        ofBytes = bytes
    }

    /// Whether the pattern fits all of a text, which the caller has folded.
    func matches(_ text: String) -> Bool {
        if text.isASCII { return ofBytes.matches(Array(text.utf8).span, foldsCase: false) }
        let text = Array(text)
        var textIndex = 0
        var partIndex = 0
        var retry: (part: Int, text: Int)?
        while textIndex < text.count {
            if partIndex < parts.count, parts[partIndex] == .many {
                retry = (partIndex, textIndex)
                partIndex += 1
            } else if partIndex < parts.count, parts[partIndex] == .one || parts[partIndex] == .character(text[textIndex]) {
                partIndex += 1
                textIndex += 1
            } else if let (part, position) = retry {
                retry = (part, position + 1)
                partIndex = part + 1
                textIndex = position + 1
            } else {
                return false
            }
        }
        return parts[partIndex...].allSatisfy { $0 == .many }
    }
}
