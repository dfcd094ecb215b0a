import EventLog
import Projection
import Testing

@Suite("Spelling")
struct SpellingTests {
    @Test(
        "of two equal values one comes first",
        arguments: [
            (.double(-0.0), .double(0.0)), (.date(-0.0), .date(0.0)), (.double(-.nan), .double(.nan)),
            (.double(.nan), .double(Double(nan: 1, signaling: false))), (.int(1), .double(1)),
            (.string("e\u{301}"), .string("é")), (.string("K"), .string("\u{212A}")),
            (.string("q\u{307}\u{323}"), .string("q\u{323}\u{307}")),
        ] as [(Value, Value)])
    func order(first: Value, second: Value) {
        #expect(EqualityKey(first) == EqualityKey(second))
        #expect(Spelling.precedes(first, second))
        #expect(!Spelling.precedes(second, first))
    }

    @Test("no value comes before itself", arguments: [.null, .int(3), .double(.nan), .string("é"), .date(0)] as [Value])
    func itself(value: Value) { #expect(!Spelling.precedes(value, value)) }
}
