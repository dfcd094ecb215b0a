import Testing

@Suite("Lexer")
struct LexerTests {
    private func texts(_ source: String) -> [String] { Lexer.tokens(of: source).map(\.text) }

    @Test("keeps code, drops comments, blanks strings")
    func basics() {
        #expect(texts("let a = \"b!\" // c\nd /* e /* f */ g */ h") == ["let", "a", "=", "\"", "d", "h"])
        #expect(texts(##"x(#"a"b"#) y"##) == ["x", "(", "\"", ")", "y"])
        #expect(texts("x = \"\"\"\n a \"quoted\" b\n \"\"\"\ny") == ["x", "=", "\"", "y"])
        #expect(texts(#"f("a\"b", "c\(d("e") + ")")f") g"#) == ["f", "(", "\"", ",", "\"", ")", "g"])
    }

    @Test("survives what does not end")
    func unfinished() {
        #expect(texts("a \"b") == ["a", "\""])
        #expect(texts("a /* b") == ["a"])
        #expect(texts("a \"\\(b") == ["a", "\""])
    }

    @Test("knows lines and neighbours")
    func positions() {
        let tokens = Lexer.tokens(of: "a /*\n*/ b!\n\"\"\"\n\"\"\" c")
        #expect(tokens.map(\.line) == [1, 2, 2, 3, 4])
        #expect(tokens.map(\.adjacent) == [false, false, true, false, false])
    }
}
