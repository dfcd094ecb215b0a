#if canImport(Observation)
import Observation
import SampleModel
import Simulation
import Storage
import Strandline
import Synchronization
import Testing

@Suite("Live queries", .timeLimit(.minutes(10)))
struct LiveQueryTests {
    private func open() async throws -> Store {
        try await Store.open(.inMemory, Post.self, Attachment.self, ImageData.self)
    }

    @MainActor @Test("follows the store on the main actor, and tells who observes it")
    func following() async throws {
        let store = try await open()
        let query = LiveQuery(Post.all.sorted(by: \.title), in: store)
        #expect(query.isLoading && query.objects.isEmpty)
        try await waitUntil { !query.isLoading }
        let told = Atomic(false)
        withObservationTracking {
            _ = query.objects
        } onChange: {
            told.store(true, ordering: .relaxed)
        }
        try await store.write { tx in for title in ["b", "a"] { _ = try tx.insert(Post(title: title)) } }
        try await waitUntil { query.objects.count == 2 }
        #expect(query.objects.map(\.title) == ["a", "b"])
        let wasTold = told.load(ordering: .relaxed)
        #expect(wasTold)
        #expect(query.error == nil)
        query.stop()
        try await waitUntil { store.observers == 0 }
        try await store.close()
    }

    @MainActor @Test("a query that is released observes no more")
    func release() async throws {
        let store = try await open()
        weak var released: LiveQuery<Post>?
        do {
            let query = LiveQuery(Post.all, in: store)
            released = query
            try await waitUntil { !query.isLoading }
            #expect(store.observers == 1)
        }
        try await waitUntil { released == nil && store.observers == 0 }
        try await store.close()
    }

    @MainActor @Test("why it stopped is shown")
    func failure() async throws {
        let store = try await open()
        let query = LiveQuery(Post.all, in: store)
        try await waitUntil { !query.isLoading }
        try await store.close()
        try await waitUntil { query.error != nil }
        #expect((query.error as? StoreError)?.code == .closed)
    }

    private actor Reader {
        private var query: LiveQuery<Post>?
        private(set) var count = 0

        func begin(_ store: Store) { query = LiveQuery(Post.all, in: store) }
        func look() -> Int { query?.objects.count ?? 0 }
    }

    @Test("belongs to the actor that made it")
    func isolation() async throws {
        let store = try await open()
        let reader = Reader()
        await reader.begin(store)
        try await store.write { tx in _ = try tx.insert(Post(title: "x")) }
        var count = 0
        for _ in 0..<12_000 where count == 0 {
            count = await reader.look()
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(count == 1)
        try await store.close()
    }
}
#endif
