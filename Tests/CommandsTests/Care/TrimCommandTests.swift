import Commands
import Interchange
import Strandline
import Testing

@Suite("TrimCommand")
struct TrimCommandTests {
    @Test("lets history go, and names who holds it back")
    func trim() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let digest = try await harness.output("digest", harness.store)
            let early = try await harness.output("token", harness.store)
            _ = try await harness.output("insert", harness.store, "Post", "--set", "title=late")
            let store = try await Store.open(.directory(harness.store))
            try await store.consumer(named: "audit").acknowledge(try HistoryToken(early))
            try await store.close()
            let token = try await harness.output("token", harness.store)
            let held = await harness.run("trim", harness.store, "--before", token, "--json")
            #expect(held.talk.contains("consumer audit has not acknowledged 1 of the transactions"), "\(held.talk)")
            #expect(try held.json()["transactions"] == .integer(0))
            #expect(
                try await harness.output("info", harness.store).contains(
                    "acknowledged  consumer audit: all but 1, last heard of"))
            let forced = try await harness.run("trim", harness.store, "--before", token, "--force", "--json").json()
            #expect(forced["floor"] != .null && forced["transactions"] != .integer(0), "\(forced)")
            #expect(try await harness.output("info", harness.store).contains("floor         "))
            #expect(try await harness.output("history", harness.store) == "")
            try await harness.refuses("history", harness.store, "--after", early, code: .failed, saying: "below the floor")
            #expect(try await harness.output("digest", harness.store) != digest)
            #expect(try await harness.output("fetch", harness.store, "Post", "--count") == "4")
            #expect(await harness.run("verify", harness.store).code == .done)
            #expect(try await harness.output("trim", harness.store, "--before", token).hasPrefix("0 transactions trimmed"))
            try await harness.refuses("trim", harness.store, code: .usage, saying: "trim needs --before TOKEN")
        }
    }
}
