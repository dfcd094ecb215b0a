/// The pattern of LIKE for ASCII texts, whose characters are their bytes; a carriage return and a line feed are one character.
///
/// Time is at most the product of the lengths: after a mismatch only the latest `*` takes one character more.
struct BytePattern: Sendable {
    private enum Part: Sendable {
        case byte(UInt8)
        case lineBreak
        case one, many
    }

    private var parts: [Part] = []
    /// Whether it asks for a character that no ASCII text has.
    private var isHopeless = false

    mutating func append(_ character: Character) {
        if character == "\r\n" {
            parts.append(.lineBreak)
        } else if let byte = Self.byte(of: character) {
            parts.append(.byte(byte))
        } else {
            isHopeless = true
        }
    }

    mutating func appendOne() { parts.append(.one) }
    mutating func appendMany() { parts.append(.many) }

    /// Whether the pattern fits all of an ASCII text.
    ///
    /// - Parameter foldsCase: capitals of the text are taken as small letters; the pattern has none then.
    func matches(_ text: Span<UInt8>, foldsCase: Bool) -> Bool {
        if isHopeless { return false }
        let parts = parts.span
        var position = 0
        var part = 0
        var retry: (part: Int, position: Int)?
        while position < text.count {
            let isBreak = Self.isBreak(text, position)
            var fits = false
            if part < parts.count {
                switch parts[part] {
                case .many:
                    part += 1
                    if part == parts.count { return true }
                    retry = (part, position)
                    continue
                case .one: fits = true
                case .byte(let wanted): fits = !isBreak && ByteSearch.folded(text[position], foldsCase) == wanted
                case .lineBreak: fits = isBreak
                }
            }
            if fits {
                part += 1
                position += isBreak ? 2 : 1
            } else if let (from, start) = retry {
                part = from
                position = start + (Self.isBreak(text, start) ? 2 : 1)
                retry = (from, position)
            } else {
                return false
            }
        }
        while part < parts.count, case .many = parts[part] { part += 1 }
        return part == parts.count
    }

    @inline(__always)
    private static func isBreak(_ text: Span<UInt8>, _ position: Int) -> Bool {
        text[position] == UInt8(ascii: "\r") && position + 1 < text.count && text[position + 1] == UInt8(ascii: "\n")
    }

    /// The ASCII that a character is, or is canonically equivalent to.
    private static func byte(of character: Character) -> UInt8? {
        let scalars = character.unicodeScalars
        guard scalars.count == 1, let scalar = scalars.first else { return nil }
        switch scalar.value {
        case 0x37e: return UInt8(ascii: ";")
        case 0x1fef: return UInt8(ascii: "`")
        case 0x212a: return UInt8(ascii: "K")
        default: return scalar.isASCII ? UInt8(scalar.value) : nil
        }
    }
}
