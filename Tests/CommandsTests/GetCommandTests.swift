import Commands
import Interchange
import Testing

@Suite("GetCommand")
struct GetCommandTests {
    @Test("prints an object whole, as it was at a token too")
    func object() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let ada = try await harness.post("Ada")
            let token = try await harness.output("token", harness.store)
            let text = try await harness.output("get", harness.store, ada)
            #expect(text.contains("_id          \(ada)\n"))
            #expect(text.contains("title        Ada"))
            #expect(text.contains("attachments  [strandline://"))
            _ = try await harness.output("update", harness.store, "Post", "--all", "--set", "title=new")
            #expect(try await harness.run("get", harness.store, ada, "--json").json()["title"] == .string("new"))
            #expect(try await harness.run("get", harness.store, ada, "--at", token, "--json").json()["title"] == .string("Ada"))
        }
    }

    @Test("says why there is no such object")
    func refusals() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let ada = try await harness.post("Ada")
            try await harness.refuses("get", harness.store, "nonsense", code: .usage, saying: "URI needs an object's URI")
            try await harness.refuses("get", harness.store, code: .usage, saying: "URI is missing")
            try await harness.refuses(
                "get", harness.store, ada.replacing("/Post/", with: "/Attachment/"), code: .failed,
                saying: "is of the entity Post, not Attachment")
            try await harness.refuses(
                "get", harness.store, "strandline://00000000000000000000000000000001/Post/1.0", code: .failed,
                saying: "its creation has not arrived")
            _ = try await harness.output("delete", harness.store, "Post", "--all")
            try await harness.refuses("get", harness.store, ada, code: .failed, saying: "it was deleted")
        }
    }
}
