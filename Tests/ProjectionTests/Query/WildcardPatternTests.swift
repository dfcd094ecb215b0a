import EventLog
import Projection
import Testing

@Suite("WildcardPattern")
struct WildcardPatternTests {
    @Test(
        "fits whole strings",
        arguments: [
            ("abc", "abc", true), ("abc", "ab", false), ("abc", "a*", true), ("abc", "*c", true), ("abc", "a?c", true),
            ("abc", "a?", false), ("abc", "???", true), ("abc", "????", false), ("", "*", true), ("", "?", false),
            ("", "", true),
            ("abcabc", "*abc", true), ("aXbXc", "a*b*c", true), ("aXbX", "a*b*c", false), ("a*c", "a\\*c", true),
            ("abc", "a\\*c", false), ("a?c", "a\\?c", true), ("a\\c", "a\\\\c", true), ("räv", "r?v", true),
            ("ra\u{308}v", "r?v", true), ("a\nb", "a*b", true), ("👩‍👩‍👧", "?", true),
            ("a\r\nb", "a?b", true), ("a\r\nb", "a??b", false), ("a\r\nb", "a\r\nb", true), ("a\r\nb", "a\r*", false),
            ("\r\n\r\n", "*\r\n", true), ("a\rb", "a?b", true), ("K", "\u{212A}", true), ("a;", "?\u{37e}", true),
            ("abc", "ab\u{301}c", false), ("abc", "*é*", false), ("aab", "*ab", true), ("mississippi", "m*is?ip*i", true),
        ])
    func fits(text: String, pattern: String, expected: Bool) throws {
        let escaped = pattern.replacing("\\", with: "\\\\")
        #expect(try SampleRow(1, [.title: .string(text)]).fits("title LIKE '\(escaped)'") == expected)
    }

    @Test("folds its letters, not its wildcards")
    func folding() throws {
        let row = SampleRow(1, [.title: .string("Straße nach Älmhult")])
        #expect(try row.fits("title LIKE[cd] 'STRASSE * alm????'"))
        #expect(try !row.fits("title LIKE[c] 'STRASSE * alm????'"))
    }

    @Test("needs no exponential time")
    func time() throws {
        let row = SampleRow(1, [.title: .string(String(repeating: "a", count: 2_000))])
        #expect(try !row.fits("title LIKE '" + String(repeating: "a*", count: 60) + "b'"))
    }
}
