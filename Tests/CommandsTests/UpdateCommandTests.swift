import Commands
import Testing

@Suite("UpdateCommand")
struct UpdateCommandTests {
    @Test("sets what a predicate selects, and counts what changed")
    func predicate() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let text = try await harness.output("update", harness.store, "Post", "--where", "views >= 2", "--set", "views=3")
            #expect(text == "1 updated, 1 unchanged")
            let json = try await harness.output(
                "update", harness.store, "Post", "--all", "--set", "views=0", "--null", "code", "--json")
            #expect(json == "{\"updated\":3,\"unchanged\":0}")
            #expect(
                try await harness.output("fetch", harness.store, "Post", "--where", "views == 0 AND code == nil", "--count")
                    == "3")
        }
    }

    @Test("--limit takes the first by --sort")
    func limit() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            _ = try await harness.output(
                "update", harness.store, "Post", "--all", "--sort", "-title", "--limit", "2", "--set", "content=last")
            let titles = try await harness.output(
                "fetch", harness.store, "Post", "--where", "content == 'last'", "--sort", "title", "--ids")
            #expect(titles == [try await harness.post("Bob"), try await harness.post("Cyd")].joined(separator: "\n"))
        }
    }

    @Test("an update that changes nothing is no transaction")
    func nothing() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let before = try await harness.output("token", harness.store)
            #expect(
                try await harness.output("update", harness.store, "Post", "--where", "views == 99", "--set", "views=1")
                    == "0 updated, 0 unchanged")
            #expect(try await harness.output("token", harness.store) == before)
        }
    }

    @Test("without --where or --all it is refused")
    func refusals() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let store = harness.store
            try await harness.refuses(
                "update", store, "Post", "--set", "views=1", code: .usage, saying: "--where PREDICATE, or --all")
            try await harness.refuses(
                "update", store, "Post", "--all", "--where", "views == 1", "--set", "views=1", code: .usage,
                saying: "exclude each other")
            try await harness.refuses("update", store, "Post", "--all", code: .usage, saying: "say what to set")
            try await harness.refuses(
                "update", store, "Post", "--where", "views = = 1", "--set", "views=1", code: .usage, saying: "^")
            try await harness.refuses(
                "update", store, "Post", "--where", "nope == 1", "--set", "views=1", code: .failed,
                saying: "Post has no property 'nope'")
        }
    }
}
