import Commands
import Foundation
import Interchange
import Storage
import Strandline
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
            let text = try await harness.output("verify", harness.store)
            #expect(text.contains(" 2 transactions"))
            let digest = try await harness.output("digest", harness.store)
            #expect(text.hasSuffix("\nstate \(digest), as the log folded anew"))
            #expect(json["stateDigest"] == .string(digest) && json["expectedDigest"] == .string(digest))
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

    @Test("an answer that the log does not give is found, and made anew by rebuild")
    func state() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let digest = try await harness.output("digest", harness.store)
            _ = try await harness.output("rebuild", harness.store)
            try Self.falsify(harness.store, try #require(ObjectID.parse(uri: try await harness.post("Bob"))).id)
            #expect(try await harness.output("fetch", harness.store, "Post", "--where", "views == 99", "--count") == "1")
            let outcome = await harness.run("verify", harness.store)
            #expect(outcome.code == .failed)
            #expect(outcome.talk.contains("its log folded anew \(digest)"), "\(outcome.talk)")
            #expect(outcome.talk.contains("'strandline rebuild'"))
            let json = try await harness.run("verify", harness.store, "--json").json()
            #expect(json["sound"] == .bool(false) && json["expectedDigest"] == .string(digest))
            #expect(json["problems"] == .array([]))
            #expect(try await harness.output("rebuild", harness.store).hasSuffix("; state digest \(digest)"))
            #expect(await harness.run("verify", harness.store).code == .done)
            #expect(try await harness.output("fetch", harness.store, "Post", "--where", "views == 99", "--count") == "0")
        }
    }

    /// Gives an object 99 views in the runs of a store, and nowhere else.
    private static func falsify(_ store: String, _ object: ObjectID) throws {
        let directory = ProjectionDirectory(store + "/runs", in: .system, cacheBytes: 1 << 20)
        try #require(try directory.tryLock())
        defer { directory.unlock() }
        let found = try #require(try directory.load())
        var state = found.state
        let views = Assignment(Property("views", .int), new: .int(99), old: nil, overwrote: nil)
        state.begin()
        state.apply(
            .update(object: object, entity: "Post", length: 1, assignments: [views]),
            stamp: Stamp(timestamp: Timestamp(rawValue: .max), replica: object.replica))
        state.commit()
        state.freeze()
        let runs = try directory.flush(state)
        try directory.publish(runs, of: state, named: found.names, token: found.token, generation: found.generation + 1)
    }

    @Test("blobs that are not there are no damage, and counted")
    func blobsElsewhere() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let file = harness.directory + "/picture"
            try Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) }).write(to: URL(filePath: file))
            _ = try await harness.output("insert", harness.store, "ImageData", "--set", "data=@" + file)
            #expect(try await harness.output("verify", harness.store).contains(", 1 blob\n"))
            try FileManager.default.removeItem(atPath: harness.store + "/blobs")
            try FileManager.default.createDirectory(atPath: harness.store + "/blobs", withIntermediateDirectories: false)
            let text = try await harness.output("verify", harness.store)
            #expect(text.contains(", 0 blobs; 1 blobs that it refers to are not in it\n"), "\(text)")
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
