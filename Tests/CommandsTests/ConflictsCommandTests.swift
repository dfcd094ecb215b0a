import Commands
import Interchange
import Testing

@Suite("ConflictsCommand")
struct ConflictsCommandTests {
    @Test("prints the winner and the losers, alike on both sides")
    func conflicts() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let other = harness.directory + "/other"
            _ = try await harness.output("create", other, "--join", try await harness.output("token", harness.store))
            _ = try await harness.output("sync", harness.store, other)
            #expect(try await harness.output("conflicts", harness.store) == "")
            let bob = try await harness.post("Bob")
            for (store, title, author) in [(harness.store, "B1", "one"), (other, "B2", "two")] {
                _ = try await harness.output(
                    "update", store, "Post", "--where", "title == 'Bob'", "--set", "title=" + title, "--author", author)
            }
            _ = try await harness.output("sync", harness.store, other)
            let token = try await harness.output("token", harness.store)
            let text = try await harness.output("conflicts", harness.store)
            let lines = text.split(separator: "\n")
            #expect(lines.count == 3)
            #expect(lines[0] == "\(bob) title")
            #expect(lines[1].hasPrefix("  won   \"B2\"  ") && lines[1].hasSuffix(" by two"))
            #expect(lines[2].hasPrefix("  lost  \"B1\"  ") && lines[2].hasSuffix(" by one"))
            #expect(try await harness.output("conflicts", other) == text)
            guard case .array(let conflicts) = try await harness.run("conflicts", other, "--json").json() else {
                return #expect(Bool(false), "no array")
            }
            #expect(conflicts.map { $0["winner"]?["value"] } == [.string("B2")])
            #expect(conflicts[0]["_id"] == .string(bob))
            #expect(conflicts[0]["kind"] == .string("values"))
            #expect(try await harness.output("conflicts", harness.store, "--since", token, "--json") == "[]")
        }
    }
}
