import EventLog
import Projection
import Testing

/// Sums that leave 64 bits, in one block, between blocks and between threads.
@Suite struct FigureColumnTests {
    private static let number = Property("number", .int)
    private static let shape = EntityShape(
        name: "Thing",
        fields: [WireName("number"): EntityShape.Field(types: [.int]), WireName("kind"): EntityShape.Field(types: [.int])],
        entity: { _ in nil })

    /// By blocks of so many rows, the numbers of one group; what their sum is, and their average.
    @Test(arguments: [
        ([Int64.max, Int64.max], Value.double(0x1p64), Value.double(0x1p63)),
        ([Int64.min, -1, .max, 2], .int(0), .double(0)),
        ([Int64.max, 1, -1], .int(.max), .double(0x1p63 / 3)),
        ([Int64.min, .min, .max, .max, 2], .int(0), .double(0)),
        ([Int64.max, .max, .min, .min], .int(-2), .double(-0.5)),
    ])
    func sums(numbers: [Int64], sum: Value, average: Value) throws {
        let kind = Property("kind", .int)
        let rows = numbers.enumerated().map {
            SampleRow(UInt64($0.offset + 1), [Self.number: .int($0.element), kind: .int(7)])
        }
        let aggregates = [
            Aggregate(.sum, PropertyPath("number")), Aggregate(.avg, PropertyPath("number")), Aggregate.count,
            Aggregate(.min, PropertyPath("number")), Aggregate(.max, PropertyPath("number")),
        ]
        let fetch = try GroupedFetch(groupBy: [PropertyPath("kind")], aggregates: aggregates, in: Self.shape)
        let least = numbers.min().map { Value.int($0) } ?? .null
        let most = numbers.max().map { Value.int($0) } ?? .null
        let expected = [sum, average, .int(Int64(numbers.count)), least, most]
        #expect(try fetch.execute(over: rows).map(\.values) == [expected])
        for size in 1...rows.count {
            let blocks = stride(from: 0, to: rows.count, by: size).map { start in
                ArrayScanBlock(
                    Array(rows[start..<min(start + size, rows.count)]), properties: [Self.number, kind], excluded: nil)
            }
            let source = ScanSource<ArrayScanBlock, SampleRow>(blocks: blocks)
            for mayUseThreads in [false, true] {
                var statistics = ScanStatistics()
                let found = try ScanGroups(fetch).execute(over: source, mayUseThreads: mayUseThreads, statistics: &statistics)
                #expect(found.map(\.values) == [expected], "blocks of \(size)")
            }
        }
    }
}
