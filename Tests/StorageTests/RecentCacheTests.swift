import Storage
import Testing

@Suite struct RecentCacheTests {
    @Test func theLastOnesUsedAreKeptAndNoMoreThanTwiceAsMany() {
        let limit = 10
        var cache = RecentCache<Int, Int>(limit: limit)
        var used: [Int] = []
        var state: UInt64 = 1
        for step in 0..<5000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let key = Int(state >> 33) % 40
            let found = cache.find(key)
            if used.prefix(limit).contains(key) { #expect(found == key * 3, "step \(step)") }
            if found == nil { cache.insert(key * 3, for: key) } else { #expect(found == key * 3) }
            used.removeAll { $0 == key }
            used.insert(key, at: 0)
            #expect(cache.count <= 2 * limit)
        }
        #expect(cache.count >= limit)
    }

    @Test func theLastValueOfAKeyHolds() {
        var cache = RecentCache<String, Int>(limit: 2)
        cache.insert(1, for: "a")
        cache.insert(2, for: "b")
        cache.insert(3, for: "c")
        cache.insert(4, for: "a")
        #expect(cache.find("a") == 4)
        cache.insert(5, for: "a")
        #expect(cache.find("a") == 5 && cache.find("b") == 2)
    }
}
