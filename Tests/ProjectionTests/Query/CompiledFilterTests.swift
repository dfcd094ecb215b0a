import EventLog
import Projection
import Testing

@Suite("CompiledFilter")
struct CompiledFilterTests {
    private let empty = SampleRow(1)
    private let full = SampleRow(
        2,
        [
            .title: .string("Hello"), .views: .int(10), .score: .double(2.5), .isRead: .bool(false), .tally: .counter(7),
            .raw: .data([0, 255]), .author: .reference(SampleRow.id(5)),
        ],
        links: [
            "author": [SampleRow(5, [.authorName: .string("Bo")], links: ["posts": [SampleRow(2), SampleRow(3)]])],
            "attachments": [SampleRow(6, [.size: .int(1)]), SampleRow(7, [.size: .int(5)]), SampleRow(8)],
        ])

    @Test(
        "nil: no order, no text; equality is with nil alone; NOT flips",
        arguments: [
            ("views > 5", false), ("views < 5", false), ("views >= 5", false), ("views <= 5", false), ("views == 5", false),
            ("views != 5", true), ("NOT views > 5", true), ("NOT views != 5", false), ("5 > views", false),
            ("5 != views", true),
            ("views == nil", true), ("views != nil", false), ("nil == views", true), ("views > nil", false),
            ("views <= nil", false),
            ("views == score", true), ("views != score", false), ("views <= score", false), ("views + 1 == nil", true),
            ("views + 1 > 0", false), ("views BETWEEN {0, 9}", false), ("NOT views BETWEEN {0, 9}", true),
            ("5 BETWEEN {0, views}", false), ("views IN {1, 2}", false), ("views IN {1, nil}", true), ("views IN {}", false),
            ("title CONTAINS ''", false), ("title BEGINSWITH ''", false), ("title LIKE '*'", false),
            ("title MATCHES '.*'", false),
            ("title == ''", false), ("title != ''", true), ("title !=[cd] 'x'", true), ("title <[c] 'x'", false),
            ("isRead == NO", false), ("isRead != YES", true), ("author == nil", true), ("author.name == nil", true),
            ("author.name != 'Bo'", true), ("attachments.@count == 0", true), ("ANY attachments.size > 0", false),
            ("ALL attachments.size > 0", true), ("NONE attachments.size > 0", true), ("title CONTAINS nil", false),
        ])
    func null(text: String, expected: Bool) throws {
        #expect(try empty.fits(text) == expected)
        #expect(try empty.fits("NOT (\(text))") == !expected)
        #expect(try empty.fits("(\(text)) AND TRUEPREDICATE") == expected)
        #expect(try empty.fits("(\(text)) OR FALSEPREDICATE") == expected)
    }

    @Test(
        "a row with values",
        arguments: [
            ("views > 9.5 AND views < 10.5", true), ("10 == views", true), ("9 < views", true), ("11 <= views", false),
            ("views BETWEEN {10, 10}", true), ("views BETWEEN {11, 9}", false), ("views BETWEEN {score, 1e999}", true),
            ("views IN {1, 10.0}", true), ("views IN {score, 10}", true), ("score IN {2, 2.5}", true),
            ("score IN {2, 3}", false),
            ("tally == 7 AND tally < 7.5", true), ("tally IN {7}", true), ("isRead == 0 AND isRead != YES", true),
            ("views * 2 + 1 == 21", true), ("views / 4 == 2", true), ("views / 4.0 == 2.5", true), ("views / 0 == nil", true),
            ("views - 20 < -9", true), ("views + 9223372036854775807 > 9.2e18", true), ("-views == -10", true),
            ("1 + 2 == 3", true), ("2 * 3 > views", false), ("raw == CAST('00ff', 'NSData')", true), ("raw != nil", true),
            ("title == 'hello'", false), ("title ==[c] 'hello'", true), ("title <[c] 'HELLP'", true), ("title < 'hello'", true),
            ("title IN {'x', 'Hello'}", true), ("title IN[c] {'x', 'HELLO'}", true), ("title IN[c] {title}", true),
            ("title BETWEEN {'H', 'I'}", true), ("title BETWEEN[c] {'hell', 'hellz'}", true),
            ("title BETWEEN {'a', 'z'}", false),
            ("title MATCHES 'H.*o'", true), ("title MATCHES 'H'", false), ("title MATCHES[c] 'h\\\\w+O'", true),
            ("title MATCHES[c] 'h\\\\S+O'", true), ("title MATCHES 'h.*'", false), ("'Hello' CONTAINS title", true),
            ("title LIKE title", true), ("author.name == 'Bo'", true), ("author.posts.@count == 2", true),
            ("ANY author.posts == '\(SampleRow.id(3))'", true), ("ALL author.posts != '\(SampleRow.id(4))'", true),
            ("attachments.@count == 3", true), ("ANY attachments.size > 4", true), ("ALL attachments.size > 0", false),
            ("ALL attachments.size != 2", true), ("NONE attachments.size > 5", true), ("ANY attachments.size == nil", true),
            ("ANY attachments.size > views", false), ("ANY attachments.size < views", true),
            ("ANY attachments.size IN {5}", true),
            ("SOME attachments.size BETWEEN {2, 6}", true), ("NOT ANY attachments.size > 4", false),
            ("SELF == '\(SampleRow.id(2))'", true), ("author == SELF", false), ("TRUEPREDICATE", true),
            ("FALSEPREDICATE", false),
            ("views == 10 AND (title == 'x' OR isRead == NO)", true), ("views == 1 OR title == 'x' AND isRead == NO", false),
        ])
    func values(text: String, expected: Bool) throws {
        #expect(try full.fits(text) == expected)
        #expect(try full.fits("NOT (\(text))") == !expected)
    }

    @Test("NaN has no order and is not itself")
    func notANumber() throws {
        let row = SampleRow(1, [.score: .double(.nan)])
        for text in [
            "score == score", "score < 1", "score >= 1", "score BETWEEN {-1e999, 1e999}", "score IN {score}", "score == nil",
        ] {
            #expect(try !row.fits(text), "\(text)")
        }
        #expect(try row.fits("score != score") && row.fits("score != 1"))
        #expect(
            !(try CompiledFilter(Filter.compare(.property("score"), .in, .constant(.double(.nan))).bound(to: .post)).matches(
                row)))
    }

    @Test("says what it reads")
    func reads() throws {
        let filter = try CompiledFilter(
            Filter.bound(
                text:
                    "views > 1 AND (title == 'x' OR score < views + tally) AND NOT ANY attachments.size > 3 AND author.name == 'x'",
                to: .post))
        #expect(filter.columns == [.views, .title, .score, .tally])
        #expect(filter.relationships == ["attachments", "author"])
        #expect(filter.necessary.map(\.property) == [.views])
    }

    @Test("an invalid pattern in a filter made without text")
    func invalidPattern() throws {
        let bound = try Filter.compare(.property("title"), .matches, .constant(.string("[a"))).bound(to: .post)
        let error = try #require(throws: PredicateError.self) { try CompiledFilter(bound) }
        #expect(error.code == .invalidPattern && error.position == nil)
    }

    @Test(
        "patterns that would exhaust the stack are refused, wherever they come from",
        arguments: ["[", "[^", "[a&&", "a&&", "a--", "a~~"])
    func deepPattern(part: String) throws {
        let pattern = "[" + String(repeating: part, count: 5_000) + "a" + String(repeating: "]", count: 5_000)
        #expect(throws: PredicateError.self) { try Filter("title MATCHES '\(pattern)'") }
        let bound = try Filter.compare(.property("title"), .matches, .constant(.string(pattern))).bound(to: .post)
        let error = try #require(throws: PredicateError.self) { try CompiledFilter(bound) }
        #expect(error.code == .invalidPattern)
    }

    @Test("a long pattern that is not deep is none of these")
    func longPattern() throws {
        let classes = String(repeating: "[a--b]?[a&&a]?", count: 40) + String(repeating: "--&&", count: 1_000) + "\\\\["
        #expect(try !full.fits("title MATCHES '\(classes)'"))
        #expect(try full.fits("title MATCHES '\(String(repeating: "[H-o]?", count: 1_000))'"))
    }

    @Test("a path to and fro takes time by the objects, not by the ways")
    func toAndFro() throws {
        // A post with three attachments, each of which leads back to it: 3^30 ways.
        let links = ["attachments": 6...8, "post": 2...2].mapValues { $0.map { UInt64($0) } }
        let row = LinkedRow(sequence: 2, links: links)
        let path = Array(repeating: "attachments.post", count: 30).joined(separator: ".")
        func fits(_ text: String) throws -> Bool {
            try CompiledFilter(Filter.bound(text: text, to: .post)).matches(row)
        }
        #expect(try !fits("ANY \(path) == '\(SampleRow.id(3))'"))
        #expect(try fits("ALL \(path) == '\(SampleRow.id(2))'"))
        #expect(try fits("attachments.post.attachments.@count == 9"), "an object reached on two ways counts twice")
        #expect(try fits("\(path).attachments.@count == \(repeatElement(3, count: 31).reduce(1, *))"))
        #expect(try fits("\(path).\(path).attachments.@count == 9223372036854775807"), "as many as fit")
    }

    /// A row whose relationships lead to the same objects from everywhere.
    private struct LinkedRow: RowReader {
        let sequence: UInt64
        let links: [String: [UInt64]]

        var id: ObjectID { SampleRow.id(sequence) }
        func value(of property: Property) -> Value {
            links[property.name]?.first.map { .reference(SampleRow.id($0)) } ?? .null
        }
        func related(by name: String) -> [LinkedRow] {
            (links[name] ?? []).map { LinkedRow(sequence: $0, links: links) }
        }
    }

    @Test("combines without deepening")
    func combinators() throws {
        let parts = (0..<2_000).map { Filter.compare(.property("views"), .equal, .constant(.int($0))) }
        let any = parts.dropFirst().reduce(parts[0], ||)
        let all = parts.dropFirst().reduce(parts[0], &&)
        #expect(any == .or(parts) && all == .and(parts))
        #expect(try CompiledFilter(any.bound(to: .post)).matches(full))
        #expect(try !CompiledFilter(all.bound(to: .post)).matches(full))
    }
}
