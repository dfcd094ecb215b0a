import EventLog
import Projection
import Testing

@Suite("FetchDescription")
struct FetchDescriptionTests {
    private func rows(_ count: UInt64, seed: UInt64) -> [SampleRow] {
        var random = RandomFilter(seed: seed)
        return (1...count).map { random.row($0 * 7_919 % 10_007) }
    }

    private func ids(_ rows: [SampleRow]) -> [UInt64] { rows.map(\.id.sequence) }

    @Test("the first by a bounded heap are the first of all sorted", arguments: 0..<8 as Range<UInt64>)
    func top(seed: UInt64) throws {
        let rows = rows(300, seed: seed)
        let sort = try SortKey.parse(
            ["views,-title[c]", "-score", "attachments.@count,-views", "author.name,tally"][Int(seed % 4)])
        let all = try FetchDescription(entity: "Post", sort: sort).bound(to: .post).execute(over: rows)
        #expect(all.count == 300)
        for (limit, offset) in [(0, 0), (1, 0), (10, 0), (10, 5), (299, 0), (300, 0), (1_000, 290), (5, 400), (Int.max, 3)] {
            let fetch = FetchDescription(entity: "Post", sort: sort, limit: limit, offset: offset)
            let bound = try fetch.bound(to: .post)
            let some = try bound.execute(over: rows)
            #expect(ids(some) == ids(Array(all.dropFirst(offset).prefix(limit))), "limit \(limit) offset \(offset)")
            #expect(try bound.count(over: rows) == some.count)
        }
    }

    @Test("sorts by keys, nulls first, ties by id", arguments: 0..<8 as Range<UInt64>)
    func order(seed: UInt64) throws {
        let rows = rows(200, seed: seed)
        let sorted = try FetchDescription(entity: "Post", sort: SortKey.parse("views,-score")).bound(to: .post).execute(
            over: rows)
        for (a, b) in zip(sorted, sorted.dropFirst()) {
            let views = ValueOrder.sort(a.value(of: .views), b.value(of: .views))
            let score = ValueOrder.sort(b.value(of: .score), a.value(of: .score))
            #expect(views < 0 || views == 0 && (score < 0 || score == 0 && a.id < b.id))
        }
        #expect(sorted.first?.value(of: .views) == .null && sorted.last?.value(of: .views) != .null)
    }

    @Test("text sorts by scalars, or folded")
    func text() throws {
        let rows = ["b", "a", "B", "é", "e\u{301}", "E", "z"].enumerated().map {
            SampleRow(UInt64($0.offset + 1), [.title: .string($0.element)])
        }
        func sorted(_ keys: String) throws -> [UInt64] {
            ids(try FetchDescription(entity: "Post", sort: SortKey.parse(keys)).bound(to: .post).execute(over: rows))
        }
        #expect(try sorted("title") == [3, 6, 2, 1, 7, 4, 5])
        #expect(try sorted("-title") == [4, 5, 7, 1, 2, 6, 3])
        #expect(try sorted("title[cd]") == [2, 1, 3, 4, 5, 6, 7])
    }

    @Test("without keys the order is by id, and a scan in that order stops at the limit")
    func byID() throws {
        let rows = rows(100, seed: 3)
        let fetch = FetchDescription(entity: "Post", filter: try Filter("views > 0"), limit: 5, offset: 2)
        let bound = try fetch.bound(to: .post)
        let expected = try ids(rows.filter { try $0.fits("views > 0") }).sorted()
        #expect(try ids(bound.execute(over: rows)) == Array(expected.dropFirst(2).prefix(5)))
        var seen = 0
        let ordered = rows.sorted { $0.id < $1.id }
        let watched = ordered.lazy.map { row in
            seen += 1
            return row
        }
        #expect(try ids(bound.execute(over: watched, rowsAreByID: true)) == Array(expected.dropFirst(2).prefix(5)))
        #expect(seen < 100)
        let all = FetchDescription(entity: "Post", offset: 98)
        #expect(try ids(all.bound(to: .post).execute(over: ordered, rowsAreByID: true)) == ids(Array(ordered.suffix(2))))
    }

    @Test("refuses what does not fit")
    func refuses() {
        func code(_ fetch: FetchDescription) -> PredicateError.Code? {
            do {
                _ = try fetch.bound(to: .post)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code(FetchDescription(entity: "Post", properties: ["title", "nope"])) == .unknownProperty)
        #expect(code(FetchDescription(entity: "Post", sort: [SortKey(PropertyPath("nope"))])) == .unknownProperty)
        #expect(code(FetchDescription(entity: "Post", sort: [SortKey(PropertyPath("attachments"))])) == .quantifier)
        #expect(code(FetchDescription(entity: "Post", limit: -1)) == .invalidLiteral)
        #expect(code(FetchDescription(entity: "Post", offset: -1)) == .invalidLiteral)
        #expect(code(FetchDescription(entity: "Post", properties: ["title"])) == nil)
    }
}
