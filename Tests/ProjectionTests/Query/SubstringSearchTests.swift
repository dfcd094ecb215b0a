import EventLog
import Projection
import Testing

@Suite("SubstringSearch")
struct SubstringSearchTests {
    @Test(
        "finds characters, not parts of them",
        arguments: [
            ("hello", "ell", "CONTAINS", true), ("hello", "", "CONTAINS", true), ("hello", "hello!", "CONTAINS", false),
            ("aab", "ab", "CONTAINS", true), ("cafe\u{301}", "e", "CONTAINS", false), ("cafe\u{301}", "é", "CONTAINS", true),
            ("café", "e\u{301}", "ENDSWITH", true), ("café", "e", "CONTAINS[d]", true), ("a\r\nb", "\n", "CONTAINS", false),
            ("a\r\nb", "\r\n", "CONTAINS", true), ("a\nb", "\n", "CONTAINS", true), ("Hello", "HELL", "CONTAINS[c]", true),
            ("Hello", "HELL", "CONTAINS", false), ("HELLO", "ello", "CONTAINS[c]", true), ("hej å", "Å", "CONTAINS[c]", true),
            ("300 K", "\u{212A}", "CONTAINS", true), ("300 K", "\u{212A}", "ENDSWITH", true),
            ("x[y", "[Y", "CONTAINS[c]", true),
            ("x{y", "[Y", "CONTAINS[c]", false), ("hello", "he", "BEGINSWITH", true), ("hello", "lo", "BEGINSWITH", false),
            ("hello", "lo", "ENDSWITH", true), ("hello", "he", "ENDSWITH", false), ("o", "lo", "ENDSWITH", false),
            ("Øl", "øl", "BEGINSWITH[cd]", true), ("Straße", "SSE", "ENDSWITH[c]", true),
        ])
    func finds(text: String, part: String, comparator: String, expected: Bool) throws {
        let escaped = part.replacing("\r", with: "\\r").replacing("\n", with: "\\n")
        let quoted = part == "\r\n" ? "\\r\\n" : escaped
        #expect(try SampleRow(1, [.title: .string(text)]).fits("title \(comparator) '\(quoted)'") == expected)
    }
}
