import EventLog
import Projection
import Testing

@Suite("GroupedFetch")
struct GroupedFetchTests {
    @Test("agrees with grouping by hand", arguments: 0..<5 as Range<UInt64>)
    func random(seed: UInt64) throws {
        var random = RandomFilter(seed: seed)
        let rows = (1...400 as ClosedRange<UInt64>).map { random.row($0) }
        let fetch = try GroupedFetch(
            filter: Filter("views != 3"), groupBy: GroupedFetch.parseKeys("title,views"),
            aggregates: Aggregate.parse("count,count:score,sum:tally,avg:score,min:score,max:attachments.@count"), in: .post)
        let groups = try fetch.execute(over: rows)
        let selected = rows.filter { $0.value(of: .views) != .int(3) }
        let expected = Dictionary(grouping: selected) { [$0.value(of: .title), $0.value(of: .views)] }
        #expect(groups.count == expected.count && groups.count > 20)
        for group in groups {
            let members = try #require(expected[group.keys])
            let scores = members.compactMap { if case .double(let score) = $0.value(of: .score) { score } else { nil } }
            let tallies = members.compactMap { if case .counter(let tally) = $0.value(of: .tally) { tally } else { nil } }
            let average: Value = scores.isEmpty ? .null : .double(scores.reduce(0, +) / Double(scores.count))
            let least: Value = scores.min().map { .double($0) } ?? .null
            let most = members.map { Int64($0.related(by: "attachments").count) }.max() ?? -1
            let counts: [Value] = [.int(Int64(members.count)), .int(Int64(scores.count)), .int(tallies.reduce(0, +))]
            // Halves sum exactly in any order.
            #expect(group.values == counts + [average, least, .int(most)])
        }
        for (a, b) in zip(groups, groups.dropFirst()) {
            let first = ValueOrder.sort(a.keys[0], b.keys[0])
            #expect(first < 0 || first == 0 && ValueOrder.sort(a.keys[1], b.keys[1]) < 0)
        }
    }

    @Test("without keys there is one group, also of nothing")
    func whole() throws {
        let fetch = try GroupedFetch(groupBy: [], aggregates: Aggregate.parse("count,sum:views,avg:views"), in: .post)
        #expect(try fetch.execute(over: [SampleRow]()) == [.init(keys: [], values: [.int(0), .int(0), .null])])
        let rows = [SampleRow(1, [.views: .int(3)]), SampleRow(2)]
        #expect(try fetch.execute(over: rows) == [.init(keys: [], values: [.int(2), .int(3), .double(3)])])
    }

    @Test("groups what predicates find equal")
    func equality() throws {
        let scores: [Value] = [.double(0), .double(-0.0), .double(.nan), .double(-.nan), .null, .null]
        let rows = scores.enumerated().map { SampleRow(UInt64($0.offset + 1), [.score: $0.element]) }
        let fetch = try GroupedFetch(groupBy: [PropertyPath("score")], aggregates: [.count], in: .post)
        #expect(try fetch.execute(over: rows).map(\.values) == [[.int(2)], [.int(2)], [.int(2)]])
        let titles = ["é", "e\u{301}", "e"].enumerated().map { SampleRow(UInt64($0.offset + 1), [.title: .string($0.element)]) }
        let byTitle = try GroupedFetch(groupBy: [PropertyPath("title")], aggregates: [.count], in: .post)
        #expect(try byTitle.execute(over: titles).map(\.values) == [[.int(1)], [.int(2)]])
    }

    @Test("keys and extremes are spelled alike, whichever object comes first")
    func spelling() throws {
        let values: [(Value, Value)] = [
            (.double(0.0), .string("é")), (.double(-0.0), .string("e\u{301}")), (.double(0.0), .string("é")),
            (.double(1), .null),
        ]
        let rows = values.enumerated().map { SampleRow(UInt64($0.offset + 1), [.score: $0.element.0, .title: $0.element.1]) }
        let aggregates = try Aggregate.parse("min:score,max:score,min:title,max:title")
        let byScore = try GroupedFetch(groupBy: [PropertyPath("score")], aggregates: aggregates, in: .post)
        let byBoth = try GroupedFetch(groupBy: GroupedFetch.parseKeys("title,score"), aggregates: aggregates, in: .post)
        let zero: [Value] = [.double(-0.0), .double(-0.0), .string("e\u{301}"), .string("e\u{301}")]
        for rows in [rows, rows.reversed()] {
            let scores = try byScore.execute(over: rows)
            #expect(scores.map(\.keys) == [[.double(-0.0)], [.double(1)]])
            #expect(scores.first?.values == zero)
            let both = try byBoth.execute(over: rows)
            #expect(both.map(\.keys) == [[.null, .double(1)], [.string("e\u{301}"), .double(-0.0)]])
            #expect(both.last?.values == zero)
        }
    }

    @Test("groups come in the order of their keys, whatever the keys are like")
    func order() throws {
        let lists: [[Value]] = [
            [
                .null, .string(""), .string("\0"), .string("Zebra"), .string("a"), .string("a\0"), .string("abcdefgh"),
                .string("abcdefghi"), .string("b"),
            ],
            [.null, .string("Z"), .string("a"), .string("b\u{301}"), .string("z"), .string("e\u{301}"), .string("ē")],
            [
                .null, .double(-.infinity), .double(-2), .double(-0.5), .double(0), .double(0.5), .double(.infinity),
                .double(.nan),
            ],
            [.null, .int(.min), .int(-1), .int(0), .int(7), .int(.max)],
        ]
        for list in lists {
            let property: Property =
                switch list[1].type {
                case .string: .title
                case .double: .score
                default: .views
                }
            let rows = list.reversed().enumerated().map { SampleRow(UInt64($0.offset + 1), [property: $0.element]) }
            let fetch = try GroupedFetch(groupBy: [PropertyPath(property.name)], aggregates: [], in: .post)
            #expect(try fetch.execute(over: rows).map(\.keys) == list.map { [$0] })
        }
    }

    @Test("a key is spelled as an object of its own group has it")
    func ownSpelling() throws {
        let values: [(Int64, Value)] = [(1, .double(-0.0)), (1, .double(0.0)), (2, .double(0.0))]
        let rows = values.enumerated().map { index, values in
            SampleRow(UInt64(index + 1), [.views: .int(values.0), .score: values.1])
        }
        let fetch = try GroupedFetch(groupBy: GroupedFetch.parseKeys("views,score"), aggregates: [.count], in: .post)
        #expect(try fetch.execute(over: rows).map(\.keys) == [[.int(1), .double(-0.0)], [.int(2), .double(0.0)]])
    }

    @Test("refuses figures without meaning", arguments: ["sum:title", "avg:day", "min:isRead", "max:attachments", "avg:nope"])
    func refuses(text: String) throws {
        let aggregates = try Aggregate.parse(text)
        #expect(throws: PredicateError.self) { try GroupedFetch(groupBy: [], aggregates: aggregates, in: .post) }
        #expect(throws: PredicateError.self) {
            try GroupedFetch(groupBy: [PropertyPath("attachments")], aggregates: [], in: .post)
        }
        #expect(throws: PredicateError.self) { try GroupedFetch.parseKeys("a,,b") }
    }
}
