import EventLog
import Projection
import Testing

/// Pools of texts in a cache that has no room for all of them: answers stay those of the rows.
@Suite struct TextPoolsTests {
    private static let few = Property("few", .string)
    private static let some = Property("some", .string)
    private static let own = Property("own", .string)
    private static let shape = EntityShape(
        name: "Thing",
        fields: Dictionary(
            uniqueKeysWithValues: [few, some, own].map { (WireName($0.name), EntityShape.Field(types: [.string])) }),
        entity: { _ in nil })

    /// Twelve thousand objects: one property with 3 texts, one with 900, one of which every text is another.
    private static func rows() -> [SampleRow] {
        (0..<12_000).map { number in
            SampleRow(
                UInt64(number + 1),
                [
                    few: .string("f\(number % 3)"), some: .string("a text of more than fifteen bytes \(number % 900)"),
                    own: .string("own \(number)"),
                ])
        }
    }

    @Test func whatHasNoRoomIsReadAsBefore() throws {
        // Pools may take half of it: too little for 12,000 texts, or for the pools of `few` and `some` beside much else.
        let fixture = try RunFixture(budget: 600 << 10)
        let rows = Self.rows()
        let writer = try RunWriter(fileSystem: fixture.files, path: RunFixture.path)
        for row in rows {
            let stamp = Stamp(timestamp: Timestamp(milliseconds: 1), replica: row.id.replica)
            let values = row.values.map { PropertyValue($0.key, $0.value) }.sorted { $0.property < $1.property }
            try writer.append(row.id, .inserted(Insertion(entity: "Thing", stamp: stamp, values: values)), terms: RunTerms())
        }
        _ = try writer.finish()
        let blocks = try fixture.open().blocks(of: "Thing")
        #expect(blocks.count > 2)
        func isNumbered(_ property: Property) throws -> Bool { try blocks[0].texts(property) != nil }
        #expect(try isNumbered(Self.few) && isNumbered(Self.own))
        for round in 0..<3 {
            for property in [Self.few, Self.own, Self.some, Self.few] {
                let fetch = try GroupedFetch(
                    groupBy: [PropertyPath(property.name)], aggregates: [.count], in: Self.shape)
                let source = ScanSource<RunBlock, SampleRow>(blocks: blocks)
                var statistics = ScanStatistics()
                let found = try ScanGroups(fetch).execute(over: source, mayUseThreads: round == 1, statistics: &statistics)
                #expect(try found == fetch.execute(over: rows), "\(property), round \(round)")
            }
        }
        // What is of no use is not tried again; what is goes on, whatever went meanwhile.
        #expect(try !isNumbered(Self.own))
        #expect(try isNumbered(Self.few) && isNumbered(Self.some))
    }
}
