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

    @Test("blobs that are not there are no damage, and counted")
    func blobsElsewhere() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let file = harness.directory + "/picture"
            try Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) }).write(to: URL(filePath: file))
            _ = try await harness.output("insert", harness.store, "ImageData", "--set", "data=@" + file)
            #expect(try await harness.output("verify", harness.store).hasSuffix(", 1 blobs"))
            try FileManager.default.removeItem(atPath: harness.store + "/blobs")
            try FileManager.default.createDirectory(atPath: harness.store + "/blobs", withIntermediateDirectories: false)
            let text = try await harness.output("verify", harness.store)
            #expect(text.hasSuffix(", 0 blobs; 1 blobs that it refers to are not in it"), "\(text)")
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
