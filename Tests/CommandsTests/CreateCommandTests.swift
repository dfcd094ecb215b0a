import Commands
import Foundation
import Interchange
import Testing

@Suite("CreateCommand")
struct CreateCommandTests {
    @Test("makes a store of a new dataset, or of the one of an id or a token")
    func create() async throws {
        try await CommandHarness.run { (harness: CommandHarness) async throws in
            let dataset = try await harness.output("create", harness.store)
            #expect(dataset.count == 32)
            let token = try await harness.output("token", harness.store)
            #expect(try await harness.output("create", harness.directory + "/b", "--join", dataset) == dataset)
            let third = try await harness.run("create", harness.directory + "/c", "--join", token, "--json").json()
            #expect(third["dataset"] == .string(dataset))
            #expect(try await harness.output("digest", harness.store) == String(repeating: "0", count: 32))
        }
    }

    @Test("a place that is taken is refused, and left as it is")
    func refusals() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            try await harness.refuses("create", harness.store, code: .failed, saying: "there is a store already")
            try await harness.refuses("create", harness.directory, code: .failed, saying: "the directory is not empty")
            try await harness.refuses("create", harness.directory + "/d", "--join", "abc", code: .usage, saying: "--join needs")
            #expect(!FileManager.default.fileExists(atPath: harness.directory + "/d"))
        }
    }
}
