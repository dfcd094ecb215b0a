import Commands
import Interchange
import Testing

@Suite("SchemaCommand")
struct SchemaCommandTests {
    @Test("prints entities, types and relationships")
    func schema() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let text = try await harness.output("schema", harness.store)
            #expect(text.contains("Post, unique by code\n  attachments: to many Attachment, inverse post, on delete cascade\n"))
            #expect(text.contains("\n  code: uuid?"))
            #expect(text.contains("\n  title: string, indexed"))
            guard case .array(let entities) = try await harness.run("schema", harness.store, "--json").json() else {
                return #expect(Bool(false), "no array")
            }
            #expect(entities.map { $0["entity"] } == [.string("Attachment"), .string("ImageData"), .string("Post")])
            #expect(entities.last?["uniqueKey"] == .array([.string("code")]))
        }
    }
}
