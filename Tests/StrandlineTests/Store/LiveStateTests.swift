import EventLog
import Projection
import SampleModel
import Simulation
import Storage
import Strandline
import Synchronization
import Testing

/// What happens to the log while the state is being made of it.
@Suite(.timeLimit(.minutes(2))) struct LiveStateTests {
    /// Runs something once, at the first call after it was set.
    private final class Once: Sendable {
        private let action = Mutex<(@Sendable () -> Void)?>(nil)

        func set(_ new: @escaping @Sendable () -> Void) { action.withLock { $0 = new } }

        func run() {
            let taken = action.withLock { action in
                defer { action = nil }
                return action
            }
            taken?()
        }

        var isOver: Bool { action.withLock { $0 == nil } }
    }

    /// Writes to a log as another process would.
    private struct Peer: Sendable {
        let log: EventLog

        func insert(_ titles: [String]) throws {
            let open = try log.begin()
            let builder = try TransactionBuilder(
                origin: open.header.origin, sequence: open.header.sequence, timestamp: open.header.timestamp,
                context: open.header.context, sink: { try open.add(part: $0) })
            for title in titles {
                try builder.insert("Post", [PropertyValue(Property("title", .string), .string(title))])
            }
            _ = try builder.finish()
            _ = try log.finish(open)
            try log.flush()
        }
    }

    private struct World {
        let store: Store
        let peer: Peer
        let environment: Environment
        let onRead = Once()
        let onSync = Once()
        let watching: Task<Void, any Error>

        /// A store of one post, whose observer refreshes the log whenever a peer has written.
        init() async throws {
            environment = Environment.inMemory()
            var hooked = environment
            let (reading, syncing) = (onRead, onSync)
            hooked.fileSystem = HookedFileSystem(
                environment.fileSystem, onRead: { path, _, _ in if path.hasSuffix(".seg") { reading.run() } },
                onSync: { syncing.run() })
            let store = try await Store.open(
                .environment("/store", hooked), Post.self, Attachment.self, ImageData.self,
                options: LiveStateRunsTests.options())
            self.store = store
            try await store.write { tx in _ = try tx.insert(Post(title: "first")) }
            peer = Peer(log: try EventLog.open(at: "/store", in: environment))
            watching = Task { for try await _ in store.changes() {} }
        }

        func reopened() async throws -> Store {
            watching.cancel()
            try await store.close()
            try peer.log.close()
            return try await Store.open(.environment("/store", environment), Post.self, Attachment.self, ImageData.self)
        }

        static func pause(_ milliseconds: Int) { WakeSignal().wait(past: 0, milliseconds: milliseconds) }
    }

    @Test func whatComesWhileAReadFollowsIsSeenByTheNext() async throws {
        let world = try await World()
        let (store, peer) = (world.store, world.peer)
        var expected = 1
        for round in 0..<20 {
            try peer.insert(["\(round)"])
            World.pause(20)
            world.onRead.set {
                try? peer.insert(["\(round), meanwhile"])
                World.pause(20)
            }
            _ = try store.count(Post.all)
            if world.onRead.isOver { expected += 1 }
            world.onRead.set {}
            expected += 1
            #expect(try store.count(Post.all) == expected)
        }
        let reopened = try await world.reopened()
        #expect(try reopened.count(Post.all) == expected)
        try await reopened.close()
    }

    @Test func whatComesWhileRunsAreMergedIsNotPassedOver() async throws {
        let world = try await World()
        let (store, peer) = (world.store, world.peer)
        try peer.insert((0..<200).map { "\($0)" })
        world.onSync.set {
            try? peer.insert(["meanwhile"])
            World.pause(100)
        }
        try await store.compact()
        #expect(world.onSync.isOver)
        #expect(try store.count(Post.all) == 202)
        #expect(try await store.verifyState().isSound)
        let reopened = try await world.reopened()
        #expect(try reopened.count(Post.all) == 202)
        try await reopened.close()
    }

    private final class Flags: Sendable {
        let isMerging = Atomic(false)
        let hasRead = Atomic(false)
        let hasWaited = Atomic(false)
    }

    @Test func aReadDoesNotWaitForRunsToBeMerged() async throws {
        let world = try await World()
        let store = world.store
        for number in 0..<5 {
            try await store.write { tx in for index in 0..<20 { _ = try tx.insert(Post(title: "\(number).\(index)")) } }
        }
        let flags = Flags()
        world.onSync.set {
            flags.isMerging.store(true, ordering: .releasing)
            for _ in 0..<1_000 where !flags.hasRead.load(ordering: .acquiring) { World.pause(5) }
            flags.hasWaited.store(flags.hasRead.load(ordering: .acquiring), ordering: .releasing)
        }
        let merging = Task { try await store.compact() }
        while !flags.isMerging.load(ordering: .acquiring) { try await Task.sleep(for: .milliseconds(1)) }
        #expect(try store.count(Post.all) == 101)
        flags.hasRead.store(true, ordering: .releasing)
        try await merging.value
        let hasWaited = flags.hasWaited.load(ordering: .acquiring)
        #expect(hasWaited, "the merge went on before the read came back")
        let reopened = try await world.reopened()
        #expect(try reopened.count(Post.all) == 101)
        try await reopened.close()
    }

    /// A transaction that comes from the log is no transaction in progress, before which there was something to read.
    @Test func nobodySeesAStateThatIsBeingMade() async throws {
        let environment = Environment.inMemory()
        let store = try await Store.open(
            .environment("/store", environment), Post.self, Attachment.self, ImageData.self,
            options: LiveStateRunsTests.options())
        var random = SplitMix64(seed: 1)
        let texts = (0..<150).map { _ in
            String(decoding: (0..<40_000).map { _ in UInt8(ascii: "a") + UInt8(random.next() % 26) }, as: UTF8.self)
        }
        try await store.write { tx in for text in texts { _ = try tx.insert(Post(title: "large", content: text)) } }
        let staged = try environment.fileSystem.list("/store/staged")
        #expect(!staged.isEmpty, "the transaction is large enough")
        let isOver = Flags()
        let reading = Task.detached {
            var least = Int.max
            while !isOver.hasRead.load(ordering: .acquiring) { least = min(least, try store.count(Post.all)) }
            return least
        }
        for _ in 0..<3 { try await store.rebuild() }
        isOver.hasRead.store(true, ordering: .releasing)
        #expect(try await reading.value == 150)
        try await store.close()
    }
}
