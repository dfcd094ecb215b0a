import EventLog
import Projection
import Testing

@Suite("GroupFilter")
struct GroupFilterTests {
    private let rows = [
        SampleRow(
            1, [.title: .string("a"), .views: .int(1), .score: .double(2)],
            links: ["author": [SampleRow(9, [.authorName: .string("Ann")])]]),
        SampleRow(2, [.title: .string("a"), .views: .int(5), .score: .double(4)]),
        SampleRow(3, [.title: .string("b"), .views: .int(7)]),
        SampleRow(4, [.views: .int(2)]),
    ]

    private func keys(_ having: String, by groupBy: String = "title") throws -> [Value] {
        let fetch = try GroupedFetch(
            groupBy: GroupedFetch.parseKeys(groupBy), aggregates: Aggregate.parse("count,avg:score,max:views,sum:views"),
            having: Filter(having), in: .post)
        return try fetch.execute(over: rows).map { $0.keys[0] }
    }

    @Test("a figure is named as it is asked for, a key by its path")
    func names() throws {
        #expect(try keys("`avg:score` > 2.5") == [.string("a")])
        #expect(try keys("`avg:score` == nil") == [.null, .string("b")])
        #expect(try keys("count == 1 AND title != nil") == [.string("b")])
        #expect(try keys("`max:views` >= 5 OR title == nil") == [.null, .string("a"), .string("b")])
        #expect(try keys("`sum:views` / count == 3") == [.string("a")])
        #expect(try keys("title BEGINSWITH[c] 'B'") == [.string("b")])
        #expect(try keys("author.name == 'Ann'", by: "author.name") == [.string("Ann")])
    }

    @Test(
        "a name that is not asked for, or a comparison that does not fit, is refused",
        arguments: [
            "`avg:views` > 2", "views > 2", "SELF == nil", "title > 3", "ANY count > 1",
        ])
    func refuses(having: String) throws {
        #expect(throws: PredicateError.self) { try keys(having) }
    }

    @Test("scans filter groups as rows do")
    func scans() throws {
        let fetch = try GroupedFetch(
            groupBy: [PropertyPath("title")], aggregates: [.count], having: Filter("count < 2"), in: .post)
        let block = ArrayScanBlock(rows, properties: [.title, .views, .score])
        var statistics = ScanStatistics()
        let source = ScanSource<ArrayScanBlock, SampleRow>(blocks: [block])
        #expect(try ScanGroups(fetch).execute(over: source, statistics: &statistics) == fetch.execute(over: rows))
        #expect(try fetch.execute(over: rows).count == 2)
    }
}
