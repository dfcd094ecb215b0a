import Generators
import Testing

@Suite struct QuakeFeedTests {
    @Test func oneSeedGivesOneText() {
        let text = QuakeFeed(count: 40, seed: 5).text
        #expect(text == QuakeFeed(count: 40, seed: 5).text)
        #expect(text != QuakeFeed(count: 40, seed: 6).text)
        #expect(text.split(separator: "\n").count == 42)
        #expect((0..<40).allSatisfy { text.contains("\"id\":\"made5-\($0)\"") })
        #expect(QuakeFeed(count: 0).text.contains("\"features\":["))
    }
}
