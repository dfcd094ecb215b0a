import Commands
import Interchange
import Testing

@Suite("InfoCommand")
struct InfoCommandTests {
    @Test("tells what is in a store")
    func info() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let json = try await harness.run("info", harness.store, "--json").json()
            #expect(
                json["objects"]
                    == .object([
                        JSONMember("Attachment", .integer(2)), JSONMember("ImageData", .integer(0)),
                        JSONMember("Post", .integer(3)),
                    ]))
            #expect(json["transactions"] == .integer(2))
            #expect(json["held"] == .array([]))
            let token = try await harness.run("token", harness.store, "--json").json()
            #expect(json["dataset"] == token["dataset"])
            #expect(json["origins"] == token["vector"])
            let text = try await harness.output("info", harness.store)
            #expect(text.contains("\nobjects       3 Post"))
            #expect(text.contains("\ntransactions  2\n"))
        }
    }

    @Test("an empty store has no history")
    func empty() async throws {
        try await CommandHarness.run { (harness: CommandHarness) async throws in
            let dataset = try await harness.output("create", harness.store)
            let json = try await harness.run("info", harness.store, "--json").json()
            #expect(json["dataset"] == .string(dataset))
            #expect(json["first"] == .null)
            #expect(json["latest"] == .null)
            #expect(json["transactions"] == .integer(0))
            #expect(json["segments"] == .integer(1))
        }
    }
}
