import SampleModel
import Storage
import Strandline
import Synchronization
import Testing

@Suite("Work on selected objects")
struct StoreSelectedTests {
    private struct Broken: Error {}

    /// Twenty-five posts with 0 to 24 views.
    private func withPosts(_ body: (Store) async throws -> Void) async throws {
        let store = try await Store.open(.inMemory, Post.self, Attachment.self, ImageData.self)
        try await store.write { tx in for views in 0..<25 { try tx.insert(Post(title: "p", views: views)) } }
        try await body(store)
        #expect(try await store.verify().isSound)
        try await store.close()
    }

    // Apart from the tests: a closure in what a macro expands to, inside another closure, has been seen to stand in for a later one
    // there (Swift 6.3.1).
    private func titled(_ title: String) -> FetchRequest<Post> { Post.where { $0.title == title } }

    private func transactions(of store: Store, after token: HistoryToken) async throws -> [Transaction] {
        var all: [Transaction] = []
        for try await transaction in store.history(after: token) { all.append(transaction) }
        return all
    }

    @Test("an update is one transaction, with old values in the history")
    func update() async throws {
        try await withPosts { (store: Store) async throws in
            let token = store.token
            var observed = store.changes(of: Post.self).makeAsyncIterator()
            let summary = try await store.update(Post.where { $0.views >= 20 }, author: "me") { $0.views += 100 }
            #expect(summary.updated == 5 && summary.transactions == 1)
            let views = try store.fetch(Post.all).map(\.views)
            #expect(views.sorted().suffix(6) == [19, 120, 121, 122, 123, 124])
            let all = try await transactions(of: store, after: token)
            #expect(all.count == 1 && all.first?.header.author == "me")
            let old = all.flatMap(\.changes).map { change -> Value? in
                guard case .update(_, _, _, let assignments) = change else { return nil }
                return assignments.first?.old
            }
            #expect(Set(old) == Set((20..<25).map { .int(Int64($0)) }))
            #expect(try await observed.next()?["Post"]?.updated.count == 5)
            let none = try await store.update(Post.where { $0.views > 1_000 }) { $0.views += 1 }
            #expect(none.objects == 0 && none.transactions == 0, "\(none)")
        }
    }

    @Test("constants are set without Swift types, and only where they differ")
    func constants() async throws {
        try await withPosts { (store: Store) async throws in
            let five = PropertyValue(Property("views", .int), .int(5))
            let first = try await store.update(Post.where { $0.views < 10 }, set: [five])
            #expect(first.updated == 9 && first.unchanged == 1)
            let title = PropertyValue(Property("title", .string), .string("q"))
            let second = try await store.update(of: "Post", where: try Filter("views == 5"), set: [title], batch: 4)
            #expect(second.updated == 10 && second.transactions == 3)
            #expect(try store.count(titled("q")) == 10)
            let error = await #expect(throws: StoreError.self) {
                try await store.update(Post.all, set: [PropertyValue(Property("veiws", .int), .int(1))])
            }
            #expect(error?.code == .unknownProperty)
        }
    }

    @Test("batches take each object once, though it still matches")
    func batches() async throws {
        try await withPosts { (store: Store) async throws in
            let token = store.token
            let told = Mutex<[Int]>([])
            let summary = try await store.update(
                Post.where { $0.views >= 0 }, batch: 10, progress: { done in told.withLock { $0.append(done.updated) } }
            ) { $0.views += 1 }
            #expect(summary.updated == 25 && summary.transactions == 3)
            #expect(told.withLock { $0 } == [10, 20, 25])
            #expect(try store.fetch(Post.all.sorted(by: \.views)).map(\.views) == Array(1...25))
            #expect(try await transactions(of: store, after: token).map(\.changes.count) == [10, 10, 5])
        }
    }

    @Test("what fails in the middle leaves the transactions before; without batches nothing")
    func failure() async throws {
        try await withPosts { (store: Store) async throws in
            @Sendable func change(_ post: inout Post) throws {
                if post.views == 17 { throw Broken() }
                post.title = "done"
            }
            await #expect(throws: Broken.self) { try await store.update(Post.all, change) }
            #expect(try store.count(titled("done")) == 0)
            let error = await #expect(throws: BatchError.self) {
                try await store.update(Post.all.sorted(by: \.views), batch: 5, change)
            }
            #expect(error?.cause is Broken)
            #expect(error?.done.updated == 15 && error?.done.transactions == 3)
            #expect(try store.count(titled("done")) == 15)
        }
    }

    @Test("an object that matches no more when its turn comes is left out")
    func stale() async throws {
        try await withPosts { (store: Store) async throws in
            let ids = try store.fetch(Post.all.sorted(by: \.views)).map(\.id)
            let other = Mutex<[Task<Void, any Error>]>([])
            let summary = try await store.update(
                Post.where { $0.views < 20 }.sorted(by: \.views), batch: 10,
                progress: { done in
                    guard done.updated == 10 else { return }
                    let signal = WakeSignal()
                    let task = Task {
                        try await store.write { tx in
                            try tx.delete(ids[15])
                            try tx.update(ids[16]) { $0.views = 99 }
                        }
                        signal.advance()
                    }
                    other.withLock { $0.append(task) }
                    signal.wait(past: 0)
                }
            ) { $0.title = "done" }
            #expect(summary.updated == 18)
            #expect(try store.get(ids[16])?.title == "p")
            for task in other.withLock({ $0 }) { try await task.value }
        }
    }

    @Test("deletes are limited, batched and recorded")
    func deletes() async throws {
        try await withPosts { (store: Store) async throws in
            try await store.write { tx in
                for post in try tx.fetch(Post.where { $0.views == 0 }) { try tx.insert(Attachment(name: "a", post: post.id)) }
            }
            let token = store.token
            let first = try await store.delete(Post.all.sorted(by: \.views), limit: 3)
            #expect(first.deleted == 3 && first.transactions == 1)
            #expect(try store.fetch(Post.all.sorted(by: \.views)).first?.views == 3)
            #expect(try store.count(Attachment.all) == 0)
            let second = try await store.delete(Post.where { $0.views < 20 }, batch: 10)
            #expect(second.deleted == 17 && second.transactions == 2)
            let third = try await store.delete(of: "Post", limit: 1)
            #expect(third.deleted == 1)
            #expect(try store.count(Post.all) == 4)
            let seen = try await transactions(of: store, after: token).flatMap(\.changes).filter { change in
                guard case .delete(_, "Post", _, let seen) = change else { return false }
                return seen.contains { $0.property.name == "views" }
            }
            #expect(seen.count == 21)
        }
    }

    @Test("a cancelled task stops between transactions")
    func cancellation() async throws {
        try await withPosts { (store: Store) async throws in
            let (begin, begun) = AsyncStream<Void>.makeStream()
            let work = Mutex<Task<BatchSummary, any Error>?>(nil)
            let task = Task {
                for await _ in begin { break }
                return try await store.delete(
                    Post.all, batch: 10, progress: { done in if done.deleted == 10 { work.withLock { $0?.cancel() } } })
            }
            work.withLock { $0 = task }
            begun.yield()
            let error = await #expect(throws: BatchError.self) { try await task.value }
            #expect(error?.cause is CancellationError && error?.done.deleted == 10)
            #expect(try store.count(Post.all) == 15)
        }
    }
}
