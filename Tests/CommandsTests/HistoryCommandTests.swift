import Commands
import Interchange
import Testing

@Suite("HistoryCommand")
struct HistoryCommandTests {
    @Test("prints old and new values")
    func text() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let token = try await harness.output("token", harness.store)
            let bob = try await harness.post("Bob")
            _ = try await harness.output(
                "update", harness.store, "Post", "--where", "title == 'Bob'", "--set", "content=new", "--set", "views=7",
                "--author", "me")
            let lines = try await harness.output("history", harness.store, "--after", token).split(separator: "\n")
            #expect(lines.count == 4)
            #expect(lines[0].hasSuffix(" 3 by me"))
            #expect(lines[1...] == ["  update \(bob)", "    content: \"two\\nlines\" → \"new\"", "    views: 2 → 7"])
            _ = try await harness.output("delete", harness.store, "Post", "--all")
            let deleted = try await harness.output("history", harness.store, "--object", bob).split(separator: "\n")
            #expect(deleted.contains("  delete \(bob)"))
            #expect(deleted.contains { $0.hasPrefix("  insert \(bob)") })
            #expect(deleted.count { $0.contains("/Post/") } == 3)
        }
    }

    @Test("--json is one array of transactions")
    func json() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            _ = try await harness.output("update", harness.store, "Post", "--all", "--set", "views=7", "--author", "me")
            let json = try await harness.run("history", harness.store, "--author", "me", "--json").json()
            guard case .array(let transactions) = json, transactions.count == 1 else { return #expect(Bool(false), "\(json)") }
            #expect(transactions[0]["sequence"] == .integer(3))
            #expect(transactions[0]["author"] == .string("me"))
            guard case .array(let changes)? = transactions[0]["changes"] else { return #expect(Bool(false), "no changes") }
            #expect(changes.map { $0["kind"] } == Array(repeating: .string("update"), count: 3))
            let views = changes.map { $0["values"]?["views"] }
            #expect(views.map { $0?["old"] } == [.integer(1), .integer(2), .integer(3)])
            #expect(views.allSatisfy { $0?["new"] == .integer(7) })
            let all = try await harness.run("history", harness.store, "--entity", "Attachment", "--json").json()
            guard case .array(let some) = all, case .array(let kept)? = some.last?["changes"] else {
                return #expect(Bool(false), "no changes")
            }
            #expect(kept.map { $0["entity"] } == [.string("Attachment"), .string("Attachment")])
            #expect(kept[0]["values"]?["post"] == .string(try await harness.post("Ada")))
            #expect(try await harness.output("history", harness.store, "--author", "nobody", "--json") == "[]")
        }
    }

    @Test("--since and --until are moments")
    func time() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            #expect(try await harness.output("history", harness.store, "--until", "2001-01-01") == "")
            #expect(try await harness.output("history", harness.store, "--since", "9999-01-01") == "")
            #expect(try await harness.output("history", harness.store, "--since", "2001-01-01", "--until", "9999-01-01") != "")
        }
    }

    @Test("tokens and names that lead nowhere are refused")
    func refusals() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let store = harness.store
            let other = harness.directory + "/other"
            _ = try await harness.output("create", other)
            let token = try await harness.output("token", other)
            try await harness.refuses("history", store, "--after", token, code: .failed, saying: "the token belongs to dataset")
            try await harness.refuses(
                "history", store, "--json", "--after", token, code: .failed, saying: "the token belongs to dataset")
            try await harness.refuses(
                "fetch", store, "Post", "--at", token, code: .failed, saying: "the token belongs to dataset")
            try await harness.refuses("digest", store, "--at", token, code: .failed, saying: "the token belongs to dataset")
            let mine = try await harness.output("token", store)
            try await harness.refuses(
                "history", store, "--after", String(mine.dropLast()), code: .usage, saying: "copy it whole")
            try await harness.refuses("history", store, "--entity", "Pots", code: .failed, saying: "did you mean Post?")
            try await harness.refuses("history", store, "--since", "noon", code: .usage, saying: "--since needs a date such as")
            try await harness.refuses("history", store, "--object", "x", code: .usage, saying: "--object needs an object's URI")
        }
    }
}
