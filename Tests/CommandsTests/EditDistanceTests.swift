import Commands
import Testing

@Suite("EditDistance")
struct EditDistanceTests {
    @Test(
        "counts insertions, removals, replacements and swaps",
        arguments: [
            ("", "", 0), ("fetch", "fetch", 0), ("fetch", "fetc", 1), ("fetch", "fetches", 2), ("fetch", "fitch", 1),
            ("fetch", "fecth", 1), ("", "abc", 3), ("ca", "abc", 3), ("kitten", "sitting", 3),
        ])
    func distance(a: String, b: String, expected: Int) {
        #expect(EditDistance.between(a, b) == expected)
        #expect(EditDistance.between(b, a) == expected)
    }

    @Test("suggests only what is near, the first by name among equals")
    func nearest() {
        #expect(EditDistance.nearest(to: "hsitory", in: ["token", "history"]) == "history")
        #expect(EditDistance.nearest(to: "bat", in: ["cat", "bad"]) == "bad")
        #expect(EditDistance.nearest(to: "xyz", in: ["token", "history"]) == nil)
        #expect(EditDistance.nearest(to: "xyz", in: []) == nil)
    }
}
