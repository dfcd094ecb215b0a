/// Finds a string in others.
///
/// Strings are sequences of characters (grapheme clusters) compared by canonical equivalence: `e` is not found in `é`, however
/// the accent is encoded, nor a line feed in a carriage return with line feed.
struct SubstringSearch: Sendable {
    let needle: String
    private let characters: [Character]
    let bytes: [UInt8]
    /// Whether in a string of ASCII the needle is found by its bytes alone: ASCII itself, and no part of a line break of two.
    let isPlain: Bool

    init(_ needle: String) {
        self.needle = needle
        characters = Array(needle)
        bytes = Array(needle.utf8)
        isPlain = bytes.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
    }

    func isContained(in text: String) -> Bool {
        if bytes.isEmpty { return true }
        guard isPlain, text.isASCII else {
            return Self.isContained(characters, in: Array(text))
        }
        return isContained(text.utf8.span, foldsCase: false)
    }

    /// Whether an ASCII text, its capitals taken as small letters, contains the needle; nil when that cannot be told so.
    func isContainedIgnoringCase(in text: String) -> Bool? {
        guard isPlain, text.isASCII else { return nil }
        return isContained(text.utf8.span, foldsCase: true)
    }

    func isPrefix(of text: String) -> Bool {
        if isPlain, text.isASCII { return text.utf8.starts(with: bytes) }
        return text.starts(with: characters)
    }

    func isSuffix(of text: String) -> Bool {
        if isPlain, text.isASCII { return text.utf8.suffix(bytes.count).elementsEqual(bytes) }
        return text.suffix(characters.count).elementsEqual(characters)
    }

    private func isContained(_ text: borrowing Span<UInt8>, foldsCase: Bool) -> Bool {
        guard let first = bytes.first else { return true }
        guard text.count >= bytes.count else { return false }
        func folded(_ byte: UInt8) -> UInt8 {
            foldsCase && UInt8(ascii: "A") <= byte && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
        }
        for start in 0...(text.count - bytes.count) where folded(text[start]) == first {
            var length = 1
            while length < bytes.count, folded(text[start + length]) == bytes[length] { length += 1 }
            if length == bytes.count { return true }
        }
        return false
    }

    private static func isContained(_ needle: [Character], in text: [Character]) -> Bool {
        guard let first = needle.first else { return true }
        guard text.count >= needle.count else { return false }
        return (0...(text.count - needle.count)).contains { start in
            text[start] == first && text[start..<start + needle.count].elementsEqual(needle)
        }
    }
}

extension String {
    /// Whether all its bytes are below 128; looks at all of them, which is faster than to stop at the first other one.
    var isASCII: Bool {
        let bytes = utf8.span
        var union: UInt8 = 0
        for index in bytes.indices { union |= bytes[index] }
        return union < 0x80
    }
}
