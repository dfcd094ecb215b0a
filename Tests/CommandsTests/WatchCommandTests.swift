import Commands
import Interchange
import Testing

@Suite("WatchCommand")
struct WatchCommandTests {
    @Test("begins where a token ends, and stops after --count")
    func count() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let token = try await harness.output("token", harness.store)
            for title in ["a", "b", "c"] {
                _ = try await harness.output("insert", harness.store, "Post", "--set", "title=" + title, "--author", title)
            }
            let outcome = await harness.run("watch", harness.store, "--after", token, "--count", "2", "--json")
            #expect(outcome.code == .done)
            #expect(outcome.talk == "watching \(harness.store)\n")
            let lines = outcome.output.split(separator: "\n")
            #expect(lines.count == 2)
            #expect(lines.first?.contains("\"title\":\"a\"") == true)
            #expect(lines.last?.contains("\"title\":\"b\"") == true)
            let some = await harness.run("watch", harness.store, "--after", token, "--author", "c", "--timeout", "0.2")
            #expect(some.code == .done)
            #expect(some.output.split(separator: "\n").contains("    title: \"c\""))
            #expect(!some.output.contains("\"b\""))
        }
    }

    @Test("sees what commits while it waits")
    func live() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            async let outcome = harness.run("watch", harness.store, "--count", "1", "--timeout", "1200")
            // It may begin to watch after the first of them, but not after all.
            for number in 0..<50 where !Task.isCancelled {
                _ = try await harness.output("insert", harness.store, "Post", "--set", "title=new \(number)")
            }
            let seen = await outcome
            #expect(seen.code == .done)
            #expect(seen.output.contains("title: \"new"))
        }
    }

    @Test("a token of another dataset is refused")
    func refusals() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let other = harness.directory + "/other"
            _ = try await harness.output("create", other)
            let token = try await harness.output("token", other)
            try await harness.refuses(
                "watch", harness.store, "--after", token, code: .failed, saying: "the token belongs to dataset")
            try await harness.refuses(
                "watch", harness.store, "--timeout", "soon", code: .usage, saying: "--timeout needs a number")
        }
    }
}
