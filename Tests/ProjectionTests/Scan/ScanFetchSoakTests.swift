import EventLog
import Projection
import Testing

@Suite("ScanFetch and ScanCount, soaked")
struct ScanFetchSoakTests {
    @Test("a scan of columns finds what a look at each row finds", arguments: 0..<60 as Range<UInt64>)
    func agrees(seed: UInt64) throws {
        var random = RandomScan(seed: seed, blocks: 1 + Int(seed % 5), rowsPerBlock: seed % 3 == 0 ? 90 : 30)
        var questions = 0
        var selected = 0
        var statistics = ScanStatistics()
        while questions < 100 {
            let request = FetchDescription(
                entity: "Thing", filter: random.filter(), sort: random.sort(), limit: random.pick([nil, nil, 0, 1, 5, 30]),
                offset: random.pick([0, 0, 0, 2, 20]))
            guard let fetch = try? request.bound(to: random.shape) else { continue }
            questions += 1
            let expected = try fetch.execute(over: random.rows).map(\.id)
            let found = try ScanFetch(fetch).execute(over: random.source, statistics: &statistics)
            #expect(found == expected, "seed \(seed): \(request)")
            let count = try ScanCount(fetch).execute(over: random.source, statistics: &statistics)
            #expect(try count == fetch.count(over: random.rows), "seed \(seed): \(request)")
            if !found.isEmpty { selected += 1 }
        }
        #expect(selected > 20)
        #expect(statistics.blocksSkipped > 0 && statistics.blocksSkipped < statistics.blocks)
        #expect(statistics.columnsRead > 0 && statistics.rowsOneByOne > 0)
    }

    @Test("two threads find what one finds", arguments: 100..<104 as Range<UInt64>)
    func threads(seed: UInt64) throws {
        var random = RandomScan(seed: seed, blocks: 70, rowsPerBlock: 4)
        var questions = 0
        while questions < 30 {
            let request = FetchDescription(
                entity: "Thing", filter: random.filter(depth: 1), sort: random.sort(), limit: random.pick([nil, 5, 30]))
            guard let fetch = try? request.bound(to: random.shape) else { continue }
            questions += 1
            var (statistics, alone) = (ScanStatistics(), ScanStatistics())
            let found = try ScanFetch(fetch).execute(over: random.source, mayUseThreads: true, statistics: &statistics)
            #expect(try found == ScanFetch(fetch).execute(over: random.source, statistics: &alone), "seed \(seed): \(request)")
            #expect(statistics.blocks == 70 && alone.blocks == 70)
            #expect(
                try ScanCount(fetch).execute(over: random.source, mayUseThreads: true, statistics: &statistics)
                    == fetch.count(over: random.rows))
        }
    }
}
