import Commands
import Interchange
import Storage
import Strandline
import Testing

@Suite("ShownValue")
struct ShownValueTests {
    @Test("JSON of every type is exact")
    func json() {
        let cases: [(Value, String)] = [
            (.null, "null"), (.bool(true), "true"), (.int(.min), "-9223372036854775808"), (.int(.max), "9223372036854775807"),
            (.counter(-3), "-3"), (.double(0.1), "0.1"), (.double(1), "1.0"), (.double(.leastNonzeroMagnitude), "5e-324"),
            (.double(.nan), "\"nan\""), (.double(-.infinity), "\"-inf\""),
            (.string("a\"\n"), "\"a\\\"\\n\""), (.date(0), "\"2001-01-01T00:00:00.000Z\""),
            (.date(-0.001), "\"2000-12-31T23:59:59.999Z\""), (.date(1e300), "\"1e+300 s after 2001\""),
            (
                .uuid(Digest128(high: 0xE621_E1F8_C36C_495A, low: 0x93FC_0C24_7A3E_6E5F)),
                "\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\""
            ),
            (.data([0, 255]), "\"AP8=\""),
        ]
        for (value, text) in cases { #expect(ShownValue.value(value).json.text == text) }
        #expect(ShownValue.references(uris: ["a", "b"]).json.text == "[\"a\",\"b\"]")
    }

    @Test("text stays on its line")
    func text() {
        #expect(ShownValue.value(.string("a\tb\nc\u{7}")).text == "a\\tb\\nc\\u{07}")
        #expect(ShownValue.value(.string("")).quoted == "\"\"")
        #expect(ShownValue.value(.int(1)).quoted == "1")
        #expect(ShownValue.references(uris: ["a", "b"]).text == "[a, b]")
    }
}
