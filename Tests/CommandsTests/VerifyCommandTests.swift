import Commands
import Foundation
import Interchange
import Testing

@Suite("VerifyCommand")
struct VerifyCommandTests {
    @Test("a sound store is sound")
    func sound() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let json = try await harness.run("verify", harness.store, "--json").json()
            #expect(json["sound"] == .bool(true))
            #expect(json["transactions"] == .integer(2))
            #expect(json["problems"] == .array([]))
            #expect(try await harness.output("verify", harness.store).contains(" 2 transactions"))
        }
    }

    @Test("a flipped bit is found, and nothing is changed")
    func damage() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let log = harness.store + "/log"
            let segment = log + "/" + (try #require(try FileManager.default.contentsOfDirectory(atPath: log).first))
            var bytes = try Data(contentsOf: URL(filePath: segment))
            let place = try #require(bytes.range(of: Data("attachments".utf8))).lowerBound
            bytes[place] ^= 1
            try bytes.write(to: URL(filePath: segment))
            let outcome = await harness.run("verify", harness.store)
            #expect(outcome.code == .failed)
            #expect(outcome.output.contains("problem: "))
            #expect(outcome.output.contains(segment))
            #expect(outcome.talk.hasPrefix("strandline verify: the store is damaged: "))
            let json = try await harness.run("verify", harness.store, "--json").json()
            #expect(json["sound"] == .bool(false))
            #expect(try Data(contentsOf: URL(filePath: segment)) == bytes)
            let fetch = await harness.run("insert", harness.store, "Post", "--set", "title=x")
            #expect(fetch.code == .failed)
            #expect(fetch.talk.split(separator: "\n").count == 1)
            #expect(try Data(contentsOf: URL(filePath: segment)) == bytes)
        }
    }

    @Test("a missing store is refused")
    func missing() async throws {
        try await CommandHarness.run { (harness: CommandHarness) async throws in
            let outcome = await harness.run("verify", harness.store)
            #expect(outcome.code == .failed)
            #expect(outcome.talk.contains("there is no store"))
            #expect(outcome.output == "")
        }
    }
}
