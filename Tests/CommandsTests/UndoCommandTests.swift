import Commands
import Interchange
import Testing

@Suite("UndoCommand")
struct UndoCommandTests {
    @Test("takes back what still holds, and lists the rest")
    func undo() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let replica = try await harness.run("info", harness.store, "--json").json()["replica"]
            guard case .string(let origin)? = replica else { return #expect(Bool(false), "no replica") }
            let before = try await harness.output("digest", harness.store, "--content")
            _ = try await harness.output("update", harness.store, "Post", "--all", "--set", "views=9")
            #expect(try await harness.output("undo", harness.store, origin, "3") == "")
            #expect(try await harness.output("digest", harness.store, "--content") == before)
            _ = try await harness.output("update", harness.store, "Post", "--all", "--set", "views=10")
            _ = try await harness.output("update", harness.store, "Post", "--where", "title == 'Bob'", "--set", "views=11")
            let bob = try await harness.post("Bob")
            #expect(try await harness.output("undo", harness.store, origin, "5") == "\(bob) views: overwritten")
            // Once more, and nothing is left that it could do.
            let again = await harness.run("undo", harness.store, origin, "5")
            #expect(again.code == .failed && again.talk.contains("nothing could be undone of transaction 5"))
            #expect(try await harness.output("fetch", harness.store, "Post", "--where", "views == 11", "--ids") == bob)
            #expect(try await harness.output("fetch", harness.store, "Post", "--where", "views < 4", "--count") == "2")
            try await harness.refuses("undo", harness.store, origin, "99", code: .failed, saying: "there is no transaction 99")
            try await harness.refuses("undo", harness.store, "x", "1", code: .usage, saying: "ORIGIN needs an origin's id")
        }
    }
}
