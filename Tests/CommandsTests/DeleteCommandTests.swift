import Commands
import Testing

@Suite("DeleteCommand")
struct DeleteCommandTests {
    @Test("deletes what a predicate selects, with what it owns")
    func predicate() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            #expect(
                try await harness.output("delete", harness.store, "Post", "--where", "title == 'Ada'", "--json")
                    == "{\"deleted\":1}")
            #expect(try await harness.output("fetch", harness.store, "Post", "--count") == "2")
            #expect(try await harness.output("fetch", harness.store, "Attachment", "--count") == "0")
            #expect(try await harness.output("delete", harness.store, "Post", "--all", "--limit", "1") == "1 deleted")
            #expect(try await harness.output("delete", harness.store, "Post", "--all") == "1 deleted")
            #expect(try await harness.output("delete", harness.store, "Post", "--all") == "0 deleted")
        }
    }

    @Test("without --where or --all it is refused")
    func refusals() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            try await harness.refuses("delete", harness.store, "Post", code: .usage, saying: "--where PREDICATE, or --all")
            try await harness.refuses("delete", harness.store, "Post", "--all", "--limit", "x", code: .usage, saying: "--limit")
            try await harness.refuses("delete", harness.store, "Pots", "--all", code: .failed, saying: "did you mean Post?")
        }
    }
}
