import Commands
import Interchange
import Strandline
import Testing

@Suite("TokenCommand")
struct TokenCommandTests {
    @Test("prints a token that reads back, and what is in it")
    func token() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let text = try await harness.output("token", harness.store)
            let token = try HistoryToken(text)
            let json = try await harness.run("token", harness.store, "--json").json()
            #expect(json["token"] == .string(text))
            #expect(json["dataset"] == .string(token.dataset.description))
            let entry = try #require(token.vector.entries.first)
            #expect(json["vector"] == .object([JSONMember(entry.origin.description, .integer(Int64(entry.sequence)))]))
        }
    }
}
