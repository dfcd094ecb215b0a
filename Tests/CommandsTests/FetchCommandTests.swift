import Commands
import Interchange
import Testing

@Suite("FetchCommand")
struct FetchCommandTests {
    @Test("prints an aligned table, numbers at their ends, one line per object")
    func table() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let text = try await harness.output(
                "fetch", harness.store, "Post", "--properties", "title,views,content", "--sort", "-views")
            let rows = text.split(separator: "\n").map { $0.split(separator: " ", omittingEmptySubsequences: true) }
            #expect(rows.map(\.count) == [4, 4, 4, 4] || rows.count == 4)
            let tails = text.split(separator: "\n").map { line in line.drop { $0 != " " }.drop { $0 == " " } }
            #expect(tails == ["title  views  content", "Cyd        3", "Bob        2  two\\nlines", "Ada        1"])
        }
    }

    @Test("--json is one array, properties as keys, the URI as _id")
    func json() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let all = try await harness.run("fetch", harness.store, "Post", "--json", "--where", "title == 'Ada'").json()
            guard case .array(let objects) = all else { return #expect(Bool(false), "no array") }
            let ada = try #require(objects.first)
            #expect(objects.count == 1)
            #expect(ada["_id"] == .string(try await harness.post("Ada")))
            #expect(ada["title"] == .string("Ada"))
            #expect(ada["views"] == .integer(1))
            #expect(ada["content"] == .string(""))
            #expect(ada["createdAt"] == .string("2001-01-01T00:00:00.125Z"))
            #expect(ada["code"] == .string("E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
            #expect(ada["attachments"] == nil)
            let none = await harness.run("fetch", harness.store, "Post", "--json", "--where", "FALSEPREDICATE")
            #expect(none.output == "[]\n")
        }
    }

    @Test("relationships are URIs, to many when they are named")
    func relationships() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let ada = try await harness.post("Ada")
            let attachments = try await harness.run("fetch", harness.store, "Attachment", "--json").json()
            guard case .array(let objects) = attachments else { return #expect(Bool(false), "no array") }
            #expect(objects.map { $0["post"] } == [.string(ada), .string(ada)])
            #expect(objects.map { $0["imageData"] } == [.null, .null])
            let posts = try await harness.run(
                "fetch", harness.store, "Post", "--properties", "attachments", "--sort", "title", "--limit", "1", "--json"
            ).json()
            let uris = objects.compactMap { $0["_id"] }
            #expect(posts == .array([.object([JSONMember("_id", .string(ada)), JSONMember("attachments", .array(uris))])]))
        }
    }

    @Test("--ids, --count, --limit and --offset")
    func counts() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            #expect(try await harness.output("fetch", harness.store, "Post", "--count") == "3")
            #expect(try await harness.output("fetch", harness.store, "Post", "--count", "--offset", "1", "--limit", "9") == "2")
            #expect(try await harness.output("fetch", harness.store, "Post", "--count", "--json") == "{\"count\":3}")
            let ids = try await harness.output(
                "fetch", harness.store, "Post", "--ids", "--sort", "title", "--offset", "1", "--limit", "1")
            #expect(ids == (try await harness.post("Bob")))
            let json = try await harness.run("fetch", harness.store, "Post", "--ids", "--json", "--where", "views > 2").json()
            #expect(json == .array([.string(try await harness.post("Cyd"))]))
        }
    }

    @Test("figures over groups and over all")
    func groups() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let all = try await harness.output("fetch", harness.store, "Post", "--aggregate", "count,avg:views,max:views")
            #expect(all == "count  avg:views  max:views\n    3        2.0          3")
            let groups = try await harness.run("fetch", harness.store, "Attachment", "--group-by", "post", "--json").json()
            #expect(
                groups
                    == .array([
                        .object([JSONMember("post", .string(try await harness.post("Ada"))), JSONMember("count", .integer(2))])
                    ]))
        }
    }

    @Test("--at shows the state of then")
    func past() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let token = try await harness.output("token", harness.store)
            _ = try await harness.output("delete", harness.store, "Post", "--all")
            #expect(try await harness.output("fetch", harness.store, "Post", "--count") == "0")
            #expect(try await harness.output("fetch", harness.store, "Post", "--count", "--at", token) == "3")
        }
    }

    @Test("what makes no sense is refused")
    func refusals() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let store = harness.store
            try await harness.refuses(
                "fetch", store, "Post", "--where", "views > ", code: .usage, saying: "\nviews > \n        ^\n")
            try await harness.refuses(
                "fetch", store, "Pots", code: .failed, saying: "the store has no entity Pots; did you mean Post?")
            try await harness.refuses(
                "fetch", store, "Post", "--where", "viws > 1", code: .failed,
                saying: "Post has no property 'viws'; did you mean 'views'")
            try await harness.refuses(
                "fetch", store, "Post", "--properties", "titel", code: .failed, saying: "did you mean title?")
            try await harness.refuses("fetch", store, "Post", "--sort", "a b", code: .usage, saying: "^")
            try await harness.refuses("fetch", store, "Post", "--ids", "--count", code: .usage, saying: "exclude each other")
            try await harness.refuses(
                "fetch", store, "Post", "--count", "--sort", "a", code: .usage, saying: "no meaning with --count")
            try await harness.refuses(
                "fetch", store, "Post", "--limit", "-1", code: .usage, saying: "--limit needs a whole number")
            try await harness.refuses("fetch", store, "Post", "--at", "xyz", code: .usage, saying: "--at: the token is")
            try await harness.refuses("fetch", store, "Post", "--json", "x", code: .usage, saying: "unexpected argument 'x'")
            try await harness.refuses("fetch", store, "Post", "--jsno", code: .usage, saying: "did you mean --json?")
        }
    }

    @Test("long cells are cut on a terminal, and whole in a pipe")
    func cutting() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let long = String(repeating: "x", count: 100)
            _ = try await harness.output("update", harness.store, "Post", "--all", "--set", "title=" + long)
            let piped = await harness.run("fetch", harness.store, "Post", "--properties", "title")
            #expect(piped.output.contains(long))
            let watched = await harness.run("fetch", harness.store, "Post", "--properties", "title", isTerminal: true)
            #expect(watched.output.contains(" " + String(repeating: "x", count: 79) + "…\n"))
        }
    }

    @Test("--explain says how it was answered, by a key where there is one")
    func explain() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let scan = try await harness.output("fetch", harness.store, "Post", "--explain", "--where", "views > 1")
            #expect(scan.hasPrefix("Post: 2 objects found by a scan of columns\n") && scan.contains("views > 1"))
            let key = "code == 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F'"
            let found = try await harness.run("fetch", harness.store, "Post", "--explain", "--where", key, "--json").json()
            #expect(found["access"] == .string("uniqueKey") && found["found"] == .integer(1))
        }
    }

    @Test("--having chooses groups by their figures")
    func having() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let groups = try await harness.output(
                "fetch", harness.store, "Post", "--group-by", "title", "--aggregate", "max:views", "--having",
                "`max:views` > 1 AND title != 'Bob'")
            let lines = groups.split(separator: "\n")
            #expect(lines.count == 2 && lines.last?.hasPrefix("Cyd") == true, "\(groups)")
            let alone = await harness.run("fetch", harness.store, "Post", "--having", "views > 1")
            #expect(alone.code == .usage && alone.talk.contains("--having needs"))
            let plain = await harness.run(
                "fetch", harness.store, "Post", "--group-by", "title", "--aggregate", "max:views", "--having", "max:views > 1")
            #expect(plain.code == .usage && plain.talk.contains("a figure stands between backquotes: '`avg:magnitude` > 2.5'"))
        }
    }

    @Test("a predicate that does not fit the entity shows where, and says what stands for _id")
    func misfits() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            for command in [["fetch"], ["delete"]] {
                let fake = FakeTerminal()
                let all = command + [harness.store, "Post", "--where", "title = 'x' OR views CONTAINS 'x'"]
                #expect(await CommandTable.strandline.run(all, fake.terminal) == .failed)
                #expect(fake.talk.text.contains("\ntitle = 'x' OR views CONTAINS 'x'\n               ^\n"), "\(fake.talk.text)")
            }
            let ada = try await harness.post("Ada")
            try await harness.refuses(
                "fetch", harness.store, "Post", "--where", "_id = '\(ada)'", code: .failed,
                saying: "Post has no property '_id'; the object itself is SELF")
            #expect(try await harness.output("fetch", harness.store, "Post", "--where", "SELF IN {'\(ada)'}", "--ids") == ada)
            try await harness.refuses(
                "fetch", harness.store, "Post", "--at", "abc", code: .usage, saying: "this is no token, or not all of one")
        }
    }
}
