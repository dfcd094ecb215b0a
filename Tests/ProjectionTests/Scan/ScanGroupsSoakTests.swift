import EventLog
import Projection
import Testing

@Suite("ScanGroups, soaked")
struct ScanGroupsSoakTests {
    @Test("groups of columns are those of rows", arguments: 0..<40 as Range<UInt64>)
    func agrees(seed: UInt64) throws {
        var random = RandomScan(seed: seed, blocks: 1 + Int(seed % 4), rowsPerBlock: 40)
        var questions = 0
        var many = 0
        var statistics = ScanStatistics()
        while questions < 50 {
            let (filter, keys, aggregates) = (random.filter(depth: 1), random.keys(), random.aggregates())
            let fetch = try? GroupedFetch(filter: filter, groupBy: keys, aggregates: aggregates, in: random.shape)
            guard let fetch else { continue }
            questions += 1
            let expected = try fetch.execute(over: random.rows)
            let found = try ScanGroups(fetch).execute(over: random.source, statistics: &statistics)
            #expect(found == expected, "seed \(seed): \(filter) by \(keys): \(aggregates)")
            if found.count > 3 { many += 1 }
        }
        #expect(many > 4)
    }

    @Test("groups do not depend on the order of rows")
    func order() throws {
        var spellings: [Value: Int] = [:]
        for seed in 200..<220 as Range<UInt64> {
            var random = RandomScan(seed: seed, blocks: 1 + Int(seed % 3), rowsPerBlock: 40)
            for _ in 0..<30 {
                let keys = random.keys()
                let aggregates = random.aggregates().filter { $0.function != .sum && $0.function != .avg }
                guard let fetch = try? GroupedFetch(groupBy: keys, aggregates: aggregates, in: random.shape) else { continue }
                let expected = try fetch.execute(over: random.rows.reversed())
                var statistics = ScanStatistics()
                let found = try ScanGroups(fetch).execute(over: random.source, statistics: &statistics)
                #expect(found == expected, "seed \(seed): by \(keys): \(aggregates)")
                for key in found.flatMap(\.keys) { spellings[key, default: 0] += 1 }
            }
        }
        // Both of equal values were keys, so that it mattered which is chosen.
        for value in [.double(-0.0), .double(0), .string("e\u{301}"), .string("é"), .string(";")] as [Value] {
            #expect(spellings[value] ?? 0 > 0, "\(value)")
        }
    }

    @Test("two threads group as one does", arguments: 100..<104 as Range<UInt64>)
    func threads(seed: UInt64) throws {
        var random = RandomScan(seed: seed, blocks: 70, rowsPerBlock: 4)
        var questions = 0
        while questions < 40 {
            let (keys, aggregates) = (random.keys(), random.aggregates())
            guard let fetch = try? GroupedFetch(groupBy: keys, aggregates: aggregates, in: random.shape) else { continue }
            questions += 1
            var statistics = ScanStatistics()
            let found = try ScanGroups(fetch).execute(over: random.source, mayUseThreads: true, statistics: &statistics)
            #expect(try found == fetch.execute(over: random.rows), "seed \(seed): by \(keys): \(aggregates)")
            #expect(statistics.blocks == 70)
        }
    }
}
