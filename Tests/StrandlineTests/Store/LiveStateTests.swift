import EventLog
import Projection
import SampleModel
import Simulation
import Storage
import Strandline
import Synchronization
import Testing

/// What happens to the log while the state is being made of it.
@Suite(.timeLimit(.minutes(10))) struct LiveStateTests {
    /// Runs something once, after some calls.
    private final class Once: Sendable {
        private let next = Mutex<(calls: Int, action: (@Sendable () -> Void)?)>((0, nil))

        func set(after calls: Int = 0, _ action: @escaping @Sendable () -> Void) { next.withLock { $0 = (calls, action) } }

        func run() {
            let action = next.withLock { next -> (@Sendable () -> Void)? in
                guard next.calls == 0 else {
                    next.calls -= 1
                    return nil
                }
                defer { next.action = nil }
                return next.action
            }
            action?()
        }

        var isOver: Bool { next.withLock { $0.action == nil } }
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

        /// A store of one post.
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
        }

        func reopened() async throws -> Store {
            try await store.close()
            try peer.log.close()
            return try await Store.open(.environment("/store", environment), Post.self, Attachment.self, ImageData.self)
        }

        /// Writes as another process, and lets a thread look at the log that then waits for the state.
        static func insert(_ title: String, by peer: Peer, seenBy store: Store) {
            try? peer.insert([title])
            try? WorkerThreads.run { _ = store.token }
            pause(20)
        }

        static func pause(_ milliseconds: Int) { WakeSignal().wait(past: 0, milliseconds: milliseconds) }
    }

    @Test func whatComesWhileAReadFollowsIsSeenByTheNext() async throws {
        let world = try await World()
        let (store, peer) = (world.store, world.peer)
        var expected = 1
        for round in 0..<20 {
            try peer.insert(["\(round)"])
            // The first read is that of what is new in the log, the second that of the state.
            world.onRead.set(after: 1) { World.insert("\(round), meanwhile", by: peer, seenBy: store) }
            _ = try store.count(Post.all)
            try #require(world.onRead.isOver)
            expected += 2
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
        world.onSync.set { World.insert("meanwhile", by: peer, seenBy: store) }
        try await store.compact()
        #expect(world.onSync.isOver)
        // Who opens it now begins with the manifest; this store would publish another, with what came.
        let other = try await Store.open(
            .environment("/store", world.environment), Post.self, Attachment.self, ImageData.self)
        #expect(try other.count(Post.all) == 202)
        try await other.close()
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
        let isRead = WakeSignal()
        world.onSync.set {
            flags.isMerging.store(true, ordering: .releasing)
            isRead.wait(past: 0)
        }
        defer { isRead.advance() }
        let merging = Task { try await store.compact() }
        try await waitUntil { flags.isMerging.load(ordering: .acquiring) }
        let reading = Task {
            try await blocking {
                defer { flags.hasRead.store(true, ordering: .releasing) }
                return try store.count(Post.all)
            }
        }
        try await waitUntil { flags.hasRead.load(ordering: .acquiring) }
        #expect(try await reading.value == 101)
        isRead.advance()
        _ = try await merging.value
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
        let flags = Flags()
        let least = Mutex(Int.max)
        // On a thread of its own: tasks share few.
        try WorkerThreads.run {
            while !flags.hasWaited.load(ordering: .acquiring) {
                let count = (try? store.count(Post.all)) ?? -1
                least.withLock { $0 = min($0, count) }
            }
            flags.hasRead.store(true, ordering: .releasing)
        }
        for _ in 0..<3 { try await store.rebuild() }
        flags.hasWaited.store(true, ordering: .releasing)
        try await waitUntil { flags.hasRead.load(ordering: .acquiring) }
        let fewest = least.withLock { $0 }
        #expect(fewest == 150)
        try await store.close()
    }
}
