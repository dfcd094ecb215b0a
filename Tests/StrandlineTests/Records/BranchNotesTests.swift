import EventLog
import SampleModel
import Simulation
import Storage
import Strandline
import Testing

@Suite struct BranchNotesTests {
    private let environment = Environment.inMemory()

    private func open(
        _ path: String, joining dataset: DatasetID? = nil, ahead milliseconds: UInt64 = 0
    ) async throws -> Store {
        var options = Store.Options()
        options.dataset = dataset
        options.writesLogFiles = true
        var world = environment
        world.clock = SimulatedClock(now: environment.clock.now() + milliseconds)
        return try await open(path, in: world, options)
    }

    private func open(_ path: String, in world: Environment, _ options: Store.Options) async throws -> Store {
        try await Store.open(.environment(path, world), Post.self, Attachment.self, ImageData.self, options: options)
    }

    private func lines(_ path: String) throws -> [String] {
        try RecordText.lines(in: path + "/logs", environment.fileSystem)
    }

    /// Held, and released, each once and with the origin.
    @Test func aClockThatIsAheadIsRecorded() async throws {
        try environment.fileSystem.createDirectory("/shared")
        let early = try await open("/early", ahead: 3_600_000)
        let store = try await open("/store", joining: early.dataset)
        try await early.write { tx in _ = try tx.insert(Post(title: "a")) }
        try await early.sync(with: .folder(path: "/shared"))
        try await store.sync(with: .folder(path: "/shared"))
        let origin = try #require(store.heldOrigins.first?.origin)
        for _ in 0..<3 { _ = try store.count(Post.all) }
        try await store.release(origin)
        #expect(try store.count(Post.all) == 1)
        try await early.close()
        try await store.close()
        let lines = try lines("/store")
        for kind in ["held", "released", "holdEnded"] {
            let found = lines.filter { $0.contains("\"kind\":\"\(kind)\"") && $0.contains("\"origin\":\"\(origin)\"") }
            #expect(found.count == 1, "\(kind): \(lines)")
        }
        #expect(lines.contains { $0.contains(#""reason":"clockSkew""#) && $0.contains(#""aheadMilliseconds":3"#) })
    }

    /// A file-by-file copy that goes on writing under the id of the original, as when a machine is set back.
    @Test func aForkIsRecorded() async throws {
        let disk = SimulatedFileSystem()
        let world = Environment.simulated(seed: 1, fileSystem: disk)
        var options = Store.Options()
        let first = try await open("/store", in: world, options)
        try await first.write { tx in _ = try tx.insert(Post(title: "a")) }
        try await first.close()
        let other = disk.clone(sameIdentity: true)
        options.writesLogFiles = true
        let store = try await open("/store", in: world, options)
        try await store.write { tx in _ = try tx.insert(Post(title: "b")) }
        try await writeAndPublish("/store", in: Environment.simulated(seed: 1, fileSystem: other))
        try disk.createDirectory("/shared")
        try Self.copy("/shared", from: other, to: disk)
        try await store.sync(with: .folder(path: "/shared"))
        let count = try store.count(Post.all)
        #expect(count == 3)
        try await store.close()
        let lines = try RecordText.lines(in: "/store/logs", disk)
        #expect(lines.contains { $0.contains(#""kind":"forked""#) && $0.contains(#""sequence":"#) }, "\(lines)")
    }

    /// What the twin of a store does.
    private func writeAndPublish(_ path: String, in world: Environment) async throws {
        let twin = try await open(path, in: world, Store.Options())
        try await twin.write { tx in _ = try tx.insert(Post(title: "c")) }
        try world.fileSystem.createDirectory("/shared")
        try await twin.sync(with: .folder(path: "/shared"))
        try await twin.close()
    }

    private static func copy(_ path: String, from source: any FileSystem, to target: any FileSystem) throws {
        for name in try source.list(path) {
            let inner = Path.join(path, name)
            if try source.isDirectory(inner) {
                try target.createDirectory(inner)
                try copy(inner, from: source, to: target)
            } else {
                let bytes = try source.readWhole(inner, limit: 1 << 24)
                try target.open(inner, .createNew).write(bytes.span, at: 0)
            }
        }
    }

    /// Who was away for longer than the history is kept joins a baseline.
    @Test func aBaselineThatIsJoinedIsRecorded() async throws {
        try environment.fileSystem.createDirectory("/shared")
        let first = try await open("/first")
        let late = try await open("/late", joining: first.dataset)
        try await first.write { tx in _ = try tx.insert(Post(title: "a")) }
        try await first.trim(before: first.token)
        try await first.sync(with: .folder(path: "/shared"))
        try await late.sync(with: .folder(path: "/shared"))
        #expect(try late.count(Post.all) == 1)
        try await first.close()
        try await late.close()
        #expect(try lines("/late").contains { $0.contains(#""kind":"baselineJoined""#) })
        let trim = try lines("/first").filter { $0.contains(#""kind":"trim""#) }
        #expect(trim.last?.contains(#""transactions":2"#) ?? false, "\(trim)")
    }

    /// Who keeps a trim from going further is named.
    @Test func whoBlocksATrimIsRecorded() async throws {
        let store = try await open("/store")
        try await store.consumer(named: "nightly").acknowledge(store.token)
        try await store.write { tx in _ = try tx.insert(Post(title: "a")) }
        let report = try await store.trim(before: store.token)
        #expect(report.blockers.count == 1)
        try await store.close()
        let lines = try lines("/store")
        #expect(lines.contains { $0.contains(#""kind":"trimBlocked""#) && $0.contains(#""consumer":"nightly""#) }, "\(lines)")
    }
}
