import EventLog
import Projection
import Testing

@Suite("SlotRange")
struct SlotRangeTests {
    private static let numbers: [Value] =
        [.min, .min + 1, -(1 << 53) - 1, -1, 0, 1, 1 << 53, 1 << 53 + 1, .max - 1024, .max - 1, .max].map(Value.int)
        + [
            -.infinity, -0x1p63, (-0x1p63).nextDown, (-0x1p63).nextUp, -1.5, -0.0, 0, 0.5, 1, 0x1p53, 0x1p53 + 2, 0x1p63,
            (0x1p63).nextDown, (0x1p63).nextUp, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .greatestFiniteMagnitude,
            .infinity, .nan,
        ].map(Value.double)

    @Test("every comparison of extreme numbers is what the order of values says", arguments: [ValueType.int, .double])
    func extremes(type: ValueType) throws {
        let property = Property("p", type)
        let shape = EntityShape(name: "Thing", fields: ["p": .init(types: [type])])
        let rows = Self.numbers.filter { $0.type == type }.enumerated().map {
            SampleRow(UInt64($0.offset + 1), [property: $0.element])
        }
        let source = ScanSource<ArrayScanBlock, SampleRow>(blocks: [ArrayScanBlock(rows, properties: [property])])
        var statistics = ScanStatistics()
        for comparator in [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual] as [Comparison.Operator] {
            for constant in Self.numbers {
                let filter = Filter.compare(.property("p"), comparator, .constant(constant))
                let fetch = try FetchDescription(entity: "Thing", filter: filter).bound(to: shape)
                let found = try ScanFetch(fetch).execute(over: source, statistics: &statistics)
                #expect(try found == fetch.execute(over: rows).map(\.id), "\(filter)")
            }
        }
        for (low, high) in zip(Self.numbers, Self.numbers.dropFirst(3) + Self.numbers.prefix(3)) {
            let filter = Filter.comparison(Comparison(.property("p"), .between, [.constant(low), .constant(high)]))
            let fetch = try FetchDescription(entity: "Thing", filter: filter).bound(to: shape)
            #expect(try ScanCount(fetch).execute(over: source, statistics: &statistics) == fetch.count(over: rows), "\(filter)")
        }
    }
}
