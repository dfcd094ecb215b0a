import EventLog
import Projection
import Simulation
import Testing

@Suite struct PropertyMapTests {
    /// As a dictionary and a sort would have it, whatever the order of writing.
    @Test(arguments: 0..<20) func agreesWithADictionary(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var map = PropertyMap<Int>()
        var expected: [Property: Int] = [:]
        for step in 0..<400 {
            let name = ["a", "b", "e\u{301}", "\u{E9}", "views"].randomElement(using: &random) ?? ""
            // Few, or so many that they are searched by halving.
            let suffix = seed.isMultiple(of: 2) ? "" : "\(Int.random(in: 0..<30, using: &random))"
            let property = Property(name + suffix, Bool.random(using: &random) ? .int : .string)
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                map[property] = nil
                expected[property] = nil
            case 1:
                map[property, default: 7] += step
                expected[property, default: 7] += step
            default:
                map[property] = step
                expected[property] = step
            }
            #expect(map[property] == expected[property])
        }
        #expect(map.count == expected.count && map.isEmpty == expected.isEmpty)
        let sorted = expected.sorted { $0.key < $1.key }
        #expect(map.map(\.key) == sorted.map(\.key))
        #expect(map.map(\.value) == sorted.map(\.value))
    }
}
