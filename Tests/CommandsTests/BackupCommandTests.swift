import Commands
import Foundation
import Interchange
import Testing

@Suite("BackupCommand")
struct BackupCommandTests {
    @Test("the copy has all, goes on by itself, and meets the first again")
    func backup() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let copy = harness.directory + "/copy"
            let json = try await harness.run("backup", harness.store, copy, "--json").json()
            #expect(json["transactions"] == .integer(2))
            #expect(try await harness.output("digest", copy) == (try await harness.output("digest", harness.store)))
            #expect(try await harness.run("verify", copy, "--json").json()["sound"] == .bool(true))
            _ = try await harness.output("insert", copy, "Post", "--set", "title=there")
            _ = try await harness.output("insert", harness.store, "Post", "--set", "title=here")
            _ = try await harness.output("sync", copy, harness.store)
            #expect(try await harness.output("fetch", copy, "Post", "--count") == "5")
            #expect(try await harness.output("digest", copy) == (try await harness.output("digest", harness.store)))
        }
    }

    @Test("a place that is taken, or that nothing leads to, is refused")
    func refusals() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            try await harness.refuses(
                "backup", harness.store, harness.directory, code: .failed, saying: "something is there already")
            try await harness.refuses("backup", harness.store, code: .usage, saying: "DEST is missing")
            try await harness.refuses("backup", harness.store, harness.directory + "/a/b", code: .failed, saying: "/a")
            #expect(try FileManager.default.contentsOfDirectory(atPath: harness.directory) == ["store"])
        }
    }
}
