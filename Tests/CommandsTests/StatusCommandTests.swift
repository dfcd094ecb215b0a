import Commands
import Foundation
import Interchange
import Testing

@Suite("StatusCommand")
struct StatusCommandTests {
    @Test("a peer of a folder, one that cannot be reached, and nobody at all")
    func status() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            #expect(try await harness.output("status", harness.store) == "alone")
            let other = harness.directory + "/other"
            let folder = harness.directory + "/folder"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            _ = try await harness.output("create", other, "--join", try await harness.output("token", harness.store))
            _ = try await harness.output("sync", harness.store, "folder:" + folder)
            _ = try await harness.output("sync", other, "folder:" + folder)
            _ = try await harness.output("sync", harness.store, "folder:" + folder)
            let replica = try await harness.run("info", other, "--json").json()["replica"]
            var json = try await harness.run("status", harness.store, "--json").json()
            #expect(json["status"] == .string("upToDate"))
            guard case .array(let peers)? = json["peers"] else { return #expect(Bool(false), "no peers") }
            let peer = try #require(peers.first { $0["replica"] == replica })
            #expect(peer["lag"] == .integer(0) && peer["error"] == .null && peer["stalledSince"] == .null)

            _ = try await harness.output("insert", harness.store, "Post", "--set", "title=Dee")
            #expect(try await harness.output("status", harness.store).hasPrefix("behind\n"))
            #expect(try await harness.output("status", harness.store).contains("lacks 1 transaction, about "))

            let nobody = "unix:" + harness.directory + "/nobody"
            try await harness.refuses("sync", harness.store, nobody, code: .failed, saying: "nobody")
            json = try await harness.run("status", harness.store, "--json").json()
            #expect(json["status"] == .string("failing"))
            guard case .array(let all)? = json["peers"] else { return #expect(Bool(false), "no peers") }
            let failing = try #require(all.first { $0["peer"] == .string(nobody) })
            #expect(failing["error"] == .string("peerUnreachable") && failing["advice"] != .null)
            let text = try await harness.output("status", harness.store)
            #expect(text.contains("error: peerUnreachable") && text.contains("see whether it runs"))
        }
    }
}
