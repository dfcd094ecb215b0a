import EventLog
import Projection
import Simulation
import Testing

@Suite struct RegularExpressionTests {
    private func matches(_ text: String, _ pattern: String, options: String = "") throws -> Bool {
        let row = SampleRow(1, [.title: .string(text)])
        let quoted = pattern.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
        return try row.fits("title MATCHES\(options) '\(quoted)'")
    }

    private static let patterns = [
        "", "a", "ab", "a|b", "a|", "(a|b)*", "a+b?", "a{2}", "a{,2}", "a{1,}b", "(ab){1,3}", "(?:a|ab)(?:c|bcd)", "a*?b",
        "(a*)*b",
        "(?<x>a)b", ".", ".*", "a.c", "[a-c]+", "[^a]b", "[a-c&&[b]]", "[[:alpha:]]+", "\\w+", "\\W", "\\d{2}", "\\s", "\\S+",
        "^ab$", "a$", "a$\\n", "\\Aa\\z", "a^b", "\\p{L}+", "\\P{L}", "\\.", "\\x{61}", "\\u{61}b", "é", "e.", "\\bab\\b",
        ".*\\bab\\b.*",
        "a\\Bb", "(?i)AB", "(?i)a.*B.*", "(a)\\1", "(?=a)ab", "(?!b).b", "a?+b", "\\N", "\\R", "\\h", "(|a)b", "((a|b)c?){2}",
        "\\Qa.b\\E", "[\\]a]", "[a\\-z]", "a{x}", "ß", "[é-ü]",
    ]
    private static let texts = [
        "", "a", "b", "ab", "AB", "aab", "aaa", "abab", "ababab", "ac", "abcd", "abc", "aa", "a.b", "a c", "12", "7", " ", "\n",
        "a\n",
        "a\r\n", "\r\n", "é", "e\u{301}", "e", "ü", "x ab y", "xaby", "ab.", "ß", "SS", "日本", "👨‍👩‍👧", "]", "-", "a{x}", "bc",
        "acbc", "_", "١",
    ]

    /// What the standard library's `Regex` says, which goes back and tries again.
    @Test(arguments: [true, false]) func answersAreThoseOfRegex(_ ignoresCase: Bool) throws {
        var fits = 0
        for pattern in Self.patterns {
            guard let regex = try? Regex<AnyRegexOutput>(pattern).ignoresCase(ignoresCase) else { continue }
            for text in Self.texts {
                let expected = (try? regex.wholeMatch(in: text)) != nil
                let found = try matches(text, pattern, options: ignoresCase ? "[c]" : "")
                #expect(found == expected, "'\(pattern)' and '\(text)'")
                fits += expected ? 1 : 0
            }
        }
        #expect(fits > 100)
    }

    /// Random patterns of what groups, alternatives and counts can make.
    @Test func randomPatternsAreThoseOfRegex() throws {
        var random = SplitMix64(seed: 5)
        func pattern(_ depth: Int) -> String {
            let atoms = ["a", "b", ".", "[ab]", "\\w", "^", "$"]
            let count = Int.random(in: 1...3, using: &random)
            return (0..<count).map { _ in
                let inner =
                    depth > 0 && Bool.random(using: &random)
                    ? "(\(pattern(depth - 1))|\(pattern(depth - 1)))" : atoms.randomElement(using: &random) ?? "a"
                guard inner != "^", inner != "$" else { return inner }
                return inner + (["", "", "*", "+", "?", "{2}", "{1,2}", "*?"].randomElement(using: &random) ?? "")
            }.joined()
        }
        for _ in 0..<150 {
            let pattern = pattern(2)
            let regex = try Regex<AnyRegexOutput>(pattern)
            for text in ["", "a", "b", "ab", "ba", "aab", "abb", "c", "a\n", "abab"] {
                #expect(try matches(text, pattern) == ((try? regex.wholeMatch(in: text)) != nil), "'\(pattern)' and '\(text)'")
            }
        }
    }

    /// Each of these takes `Regex` longer than anybody waits.
    @Test(arguments: [
        "(a+)+b", "(a|a)*b", "(a|aa)+b", "(.*)*x", "(a*)*(a*)*(a*)*b", "a*a*a*a*a*a*a*b", "((a{1,9}){1,9}){1,9}b",
    ])
    func aPatternThatGoesBackWithoutEndIsAnswered(_ pattern: String) throws {
        let text = String(repeating: "a", count: 400)
        #expect(try !matches(text, pattern))
    }

    @Test func whatCouldRunForEverIsRefusedByName() throws {
        for pattern in ["(a+)+\\1b", "(?=(a+)+b).*", "(a++)*b", "a{9000}{9000}", String(repeating: "(a|", count: 30_000)] {
            let error = #expect(throws: PredicateError.self) { try matches("a", pattern) }
            #expect(error?.code == .invalidPattern)
        }
        let error = #expect(throws: PredicateError.self) { try matches("a", "(a+)+\\1b") }
        #expect(error?.message.contains("(a+)+\\1b") == true, "\(error as Any)")
        let nest = String(repeating: "(a|", count: 30_000) + "b" + String(repeating: ")", count: 30_000)
        let words = (0..<30_000).map { "w\($0)" }.joined(separator: "|")
        for pattern in [nest, words] { #expect(throws: PredicateError.self) { try matches("a", pattern) } }
        #expect(try matches("w3", (0..<300).map { "w\($0)" }.joined(separator: "|")))
    }
}
