import Commands
import SampleModel
import Storage
import Strandline
import Testing

@Suite("ReleaseCommand")
struct ReleaseCommandTests {
    /// An hour ahead of everybody else.
    private struct FastClock: WallClock {
        let clock = Environment.system.clock
        func now() -> UInt64 { clock.now() + 3_600_000 }
        func monotonic() -> UInt64 { clock.monotonic() }
    }

    @Test("applies what came from a clock that is ahead")
    func release() async throws {
        try await CommandHarness.withPosts { (harness: CommandHarness) async throws in
            let other = harness.directory + "/other"
            _ = try await harness.output("create", other, "--join", try await harness.output("token", harness.store))
            _ = try await harness.output("sync", other, harness.store)
            var environment = Environment.system
            environment.clock = FastClock()
            let store = try await Store.open(.environment(other, environment), Post.self, Attachment.self, ImageData.self)
            let origin = store.replica.description
            try await store.write { tx in _ = try tx.insert(Post(title: "early")) }
            try await store.close()
            let sync = await harness.run("sync", harness.store, other)
            #expect(sync.talk.contains("1 transactions wait"), "\(sync.talk)")
            #expect(try await harness.output("fetch", harness.store, "Post", "--count") == "3")
            #expect(try await harness.output("info", harness.store).contains("held          \(origin) "))
            #expect(try await harness.output("release", harness.store, origin, "--json") == "{\"released\":1}")
            #expect(try await harness.output("fetch", harness.store, "Post", "--count") == "4")
            try await harness.refuses(
                "release", harness.store, origin, code: .failed, saying: "nothing of origin \(origin) waits")
            try await harness.refuses("release", harness.store, "12", code: .usage, saying: "ORIGIN needs an origin's id")
        }
    }
}
