import Projection
import Testing

@Suite("NearestName")
struct NearestNameTests {
    @Test(
        "finds what was meant",
        arguments: [
            ("magnitud", "magnitude"), ("Magnitude", "magnitude"), ("palce", "place"), ("tim", "time"), ("x", nil),
            ("altitude", nil), ("", nil),
        ] as [(String, String?)])
    func finds(name: String, expected: String?) {
        #expect(NearestName.of(name, among: ["magnitude", "place", "time", "tsunami"]) == expected)
    }

    @Test("takes the first of equals")
    func ties() { #expect(NearestName.of("ab", among: ["aa", "bb", "ab1"]) == "aa") }
}
