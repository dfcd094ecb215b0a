/// One word, number, string or punctuation mark of a source, with the line it stands on.
struct Token: Equatable {
    /// The text; every string literal is just `"`.
    var text: String
    /// From 1.
    var line: Int
    /// Whether nothing, not even a space, parts it from the token before.
    var adjacent: Bool

    /// A name or a keyword.
    var isWord: Bool {
        guard let first = text.utf8.first else { return false }
        return Lexer.isWordByte(first) && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
    }
}
