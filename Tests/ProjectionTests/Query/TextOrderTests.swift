import EventLog
import Projection
import Testing

/// The order of strings, told by predicates and sorting.
@Suite struct TextOrderTests {
    /// Ascending, each with an equal one beside it.
    private static let ascending: [[String]] = [
        ["", ""], ["a", "a"], ["ae\u{301}", "a\u{e9}"], ["ae\u{301}i", "a\u{e9}i"], ["a\u{e9}\u{e9}", "ae\u{301}e\u{301}"],
        ["b", "b"], ["x\u{301}", "x\u{301}"], ["x\u{301}a", "x\u{301}a"], ["\u{c5}", "\u{212b}", "A\u{30a}"],
        ["\u{c5}i", "A\u{30a}i"], ["\u{304b}", "\u{304b}"], ["\u{304c}", "\u{304b}\u{3099}"],
        ["\u{304c}i", "\u{304b}\u{3099}i"], ["\u{d55c}", "\u{1112}\u{1161}\u{11ab}"],
        ["\u{d55c}i", "\u{1112}\u{1161}\u{11ab}i"],
    ]

    @Test func aStringComesBeforeItsContinuationsHoweverItIsEncoded() throws {
        for (place, group) in Self.ascending.enumerated() {
            for (other, others) in Self.ascending.enumerated() {
                for a in group {
                    for b in others {
                        let expected = place < other ? -1 : place == other ? 0 : 1
                        let shown = "\(Array(a.unicodeScalars)) \(Array(b.unicodeScalars))"
                        #expect(ValueOrder.compare(.string(a), .string(b)) == expected, "\(shown)")
                    }
                }
            }
        }
    }

    @Test func predicatesFollowIt() throws {
        let row = SampleRow(1, [Property("title", .string): .string("\u{304b}\u{3099}")])
        #expect(try row.fits("title < '\u{304c}i'"))
        #expect(try !row.fits("title >= '\u{304c}i'"))
    }
}
