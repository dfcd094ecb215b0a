import EventLog
import Projection
import Testing

@Suite("BlockFilter")
struct BlockFilterTests {
    /// A block that says which columns were read of it, and fails for one that is damaged.
    private struct Watched: ScanBlock {
        struct Damaged: Error {}

        let block: ArrayScanBlock
        var readable: Set<Property> = [.views, .score, .title]

        var count: Int { block.count }
        var excluded: [UInt64]? { block.excluded }
        func bounds(_ property: Property) -> ColumnBounds? { block.bounds(property) }
        func ids() throws -> [ObjectID] { try block.ids() }

        func column(_ property: Property) throws -> ColumnBlock? {
            if !readable.contains(property) { throw Damaged() }
            return try block.column(property)
        }
    }

    private let rows = (0..<200 as Range<Int64>).map {
        SampleRow(
            UInt64($0 + 1),
            [.views: .int($0), .score: $0 % 10 == 0 ? .null : .double(Double($0) / 2), .title: .string("t\($0)")])
    }

    private func count(_ predicate: String, readable: Set<Property>) throws -> (Int, ScanStatistics) {
        let fetch = try FetchDescription(entity: "Post", filter: Filter(predicate)).bound(to: .post)
        let block = Watched(block: ArrayScanBlock(rows, properties: [.views, .score, .title]), readable: readable)
        var statistics = ScanStatistics()
        let source = ScanSource<Watched, SampleRow>(blocks: [block])
        return (try ScanCount(fetch).execute(over: source, statistics: &statistics), statistics)
    }

    @Test(
        "bounds spare a block or a column",
        arguments: [
            ("views > 1000", 0, 1), ("views >= 0", 200, 0), ("views BETWEEN {-5, 500}", 200, 0),
            ("views IN {-1, 200, 250.5}", 0, 1),
            ("NOT (views < 200)", 0, 1), ("views != 999", 200, 0), ("views == nil", 0, 1), ("day == nil", 200, 0),
            ("views > 500 OR FALSEPREDICATE", 0, 1), ("views > 500 AND title CONTAINS 'x'", 0, 1),
            ("title < 'a'", 0, 1), ("title BEGINSWITH 'u'", 0, 1), ("title BEGINSWITH 's'", 0, 1),
        ])
    func skips(predicate: String, expected: Int, skipped: Int) throws {
        let (count, statistics) = try count(predicate, readable: [])
        #expect(count == expected)
        #expect(statistics.blocksSkipped == skipped && statistics.columnsRead == 0)
    }

    @Test("a column is read only while rows are left")
    func shortCircuits() throws {
        // 7.5 lies within the bounds of views, but no row has it.
        let (none, statistics) = try count("title CONTAINS 'x' AND views == 7.5", readable: [.views])
        #expect(none == 0 && statistics.columnsRead == 1 && statistics.rowsTested == 200)
        let (all, _) = try count("title CONTAINS 'x' OR views != 7.5", readable: [.views])
        #expect(all == 200)
    }

    @Test("a damaged column is an error, not an empty one")
    func damage() {
        #expect(throws: Watched.Damaged.self) { try count("title CONTAINS 'x'", readable: []) }
    }

    @Test("two columns and arithmetic need no rows of the caller's")
    func twoColumns() throws {
        let (count, statistics) = try count("views * 2 == score * 4", readable: [.views, .score])
        #expect(count == 180 && statistics.rowsOneByOne == 200)
        let (greater, alone) = try self.count("views > score", readable: [.views, .score])
        #expect(greater == 180 && alone.rowsOneByOne == 0)
        let (different, _) = try self.count("views != score", readable: [.views, .score])
        #expect(different == 200)
    }
}
