import Commands
import Foundation
import Interchange
import Testing

@Suite("SyncCommand")
struct SyncCommandTests {
    @Test("two stores meet in a folder, and side by side")
    func peers() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let other = harness.directory + "/other"
            let folder = harness.directory + "/folder"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            _ = try await harness.output("create", other, "--join", try await harness.output("token", harness.store))
            let sent = try await harness.run("sync", harness.store, "folder:" + folder, "--json").json()
            #expect(sent["exported"] == .integer(2))
            #expect(try await harness.run("sync", other, "folder:" + folder, "--json").json()["imported"] == .integer(2))
            #expect(try await harness.output("digest", other) == (try await harness.output("digest", harness.store)))
            _ = try await harness.output("insert", other, "Post", "--set", "title=Dee")
            _ = try await harness.output("delete", harness.store, "Post", "--where", "title == 'Ada'")
            let text = try await harness.output("sync", harness.store, other)
            #expect(text.hasPrefix("exported 1 transactions ("))
            #expect(try await harness.output("digest", other) == (try await harness.output("digest", harness.store)))
            #expect(try await harness.output("fetch", other, "Post", "--count") == "3")
        }
    }

    @Test("what is no peer is refused")
    func refusals() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let other = harness.directory + "/other"
            try await harness.refuses("sync", harness.store, other, code: .failed, saying: "there is no store")
            try await harness.refuses("sync", harness.store, code: .usage, saying: "PEER is missing")
            try await harness.refuses("sync", harness.store, "folder:", code: .usage, saying: "PEER needs folder:PATH")
            // An empty store made without --join is told what to do, whichever of the two it is.
            let dataset = try await harness.run("info", harness.store, "--json").json()["dataset"]
            guard case .string(let id)? = dataset else { return #expect(Bool(false), "no dataset") }
            _ = try await harness.output("create", other)
            let hint = "strandline create STORE --join \(id)"
            try await harness.refuses("sync", harness.store, other, code: .failed, saying: hint)
            try await harness.refuses("sync", other, harness.store, code: .failed, saying: hint)
            let folder = harness.directory + "/folder"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            _ = try await harness.output("sync", harness.store, "folder:" + folder)
            try await harness.refuses("sync", other, "folder:" + folder, code: .failed, saying: hint)
            // Made as the hint says, it joins; two stores with content never do.
            try FileManager.default.removeItem(atPath: other)
            _ = try await harness.output("create", other, "--join", id)
            _ = try await harness.output("sync", other, "folder:" + folder)
            #expect(try await harness.output("digest", other) == (try await harness.output("digest", harness.store)))
            let stranger = harness.directory + "/stranger"
            _ = try await harness.output("generate", stranger, "posts", "--count", "1")
            try await harness.refuses("sync", harness.store, stranger, code: .failed, saying: "they never merge")
        }
    }
}
