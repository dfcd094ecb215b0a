import Commands
import Testing

@Suite("DigestCommand")
struct DigestCommandTests {
    @Test("changes with the state, and not with looking at it")
    func digest() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let token = try await harness.output("token", harness.store)
            let before = try await harness.output("digest", harness.store)
            #expect(before.count == 32)
            #expect(try await harness.output("digest", harness.store, "--json") == "{\"digest\":\"\(before)\"}")
            _ = try await harness.output("update", harness.store, "Post", "--all", "--set", "views=9")
            let after = try await harness.output("digest", harness.store)
            #expect(after != before)
            #expect(try await harness.output("digest", harness.store, "--at", token) == before)
            #expect(try await harness.output("digest", harness.store, "--content") != after)
        }
    }
}
