import SampleModel
import Simulation
import Storage
import Strandline
import Synchronization
import Testing

@Suite("Live values", .timeLimit(.minutes(10)))
struct LiveValuesTests {
    private func open(_ environment: Environment = .inMemory()) async throws -> Store {
        try await Store.open(.environment("/store", environment), Post.self, Attachment.self, ImageData.self)
    }

    private var titles: FetchRequest<Post> { Post.all.sorted(by: \.title) }

    @Test("the present comes first, then what this store writes")
    func own() async throws {
        let store = try await open()
        let ada = try await store.write { tx in try tx.insert(Post(title: "Ada")).id }.value
        var values = store.values(of: titles).makeAsyncIterator()
        #expect(try await values.next()?.map(\.title) == ["Ada"])
        try await store.write { tx in _ = try tx.insert(Post(title: "Bob")) }
        #expect(try await values.next()?.map(\.title) == ["Ada", "Bob"])
        try await store.write { tx in try tx.update(ada) { $0.title = "Eve" } }
        #expect(try await values.next()?.map(\.title) == ["Bob", "Eve"])
        try await store.write { tx in try tx.delete(ada) }
        #expect(try await values.next()?.map(\.title) == ["Bob"])
        try await store.close()
    }

    @Test("what another handle of the same files writes is seen")
    func another() async throws {
        let environment = Environment.inMemory()
        let store = try await open(environment)
        let other = try await open(environment)
        var values = store.values(of: titles).makeAsyncIterator()
        #expect(try await values.next()?.isEmpty == true)
        for number in 1...20 {
            try await other.write { tx in _ = try tx.insert(Post(title: "\(number)")) }
            var count = 0
            while count < number, let posts = try await values.next() { count = posts.count }
            #expect(count == number)
        }
        try await store.close()
        try await other.close()
    }

    @Test("a slow consumer gets few values, and the last is right")
    func coalescing() async throws {
        let store = try await open()
        var values = store.values(of: titles).makeAsyncIterator()
        #expect(try await values.next()?.count == 0)
        var taken = 0
        var last = 0
        for number in 1...1_000 {
            try await store.write(durability: .relaxed) { tx in _ = try tx.insert(Post(title: "\(number)")) }
            guard number % 250 == 0, let posts = try await values.next() else { continue }
            taken += 1
            last = posts.count
            #expect(last <= number)
        }
        #expect(taken == 4)
        while last < 1_000, let posts = try await values.next() {
            last = posts.count
            taken += 1
        }
        #expect(last == 1_000)
        #expect(taken <= 8, "values queued up")
        try await store.close()
    }

    /// The next value is told after the second write; a value in between would have the number before it.
    @Test("what does not concern a request is not told")
    func scope() async throws {
        let store = try await open()
        var posts = store.values(of: Post.all).makeAsyncIterator()
        var pictures = store.values(of: Attachment.where { $0.post.views > 5 }).makeAsyncIterator()
        #expect(try await posts.next()?.count == 0)
        #expect(try await pictures.next()?.count == 0)
        let post = try await store.write { tx in
            let post = try tx.insert(Post(title: "a"))
            try tx.insert(Attachment(name: "old", post: post.id))
            return post.id
        }.value
        #expect(try await posts.next()?.count == 1)
        #expect(try await pictures.next()?.count == 0)
        let counted = Counted(store.values(of: Post.all))
        #expect(try await counted.next() == 1)
        // The name of an attachment is no part of a post, the views of its post decide about the attachment.
        try await store.write { tx in
            for attachment in try tx.fetch(Attachment.all) { try tx.update(attachment.id) { $0.name = "new" } }
        }
        #expect(try await pictures.next()?.count == 0)
        try await store.write { tx in try tx.update(post) { $0.views = 9 } }
        #expect(try await pictures.next()?.map(\.name) == ["new"])
        let told = try #require(try await posts.next()?.first)
        #expect(told.views == 9, "an attachment's name was told to posts")
        try await store.write { tx in try tx.delete(post) }
        #expect(try await pictures.next()?.count == 0)
        try await store.close()
    }

    private final class Counted {
        private var values: LiveValues<[Post]>.Iterator
        init(_ values: LiveValues<[Post]>) { self.values = values.makeAsyncIterator() }
        func next() async throws -> Int? {
            var values = values
            defer { self.values = values }
            return try await values.next()?.count
        }
    }

    @Test("a count is told when it is another")
    func counts() async throws {
        let store = try await open()
        var counts = store.counts(of: Post.where { $0.views > 5 }).makeAsyncIterator()
        #expect(try await counts.next() == 0)
        for views in [1, 9, 2] { try await store.write { tx in _ = try tx.insert(Post(title: "p", views: views)) } }
        #expect(try await counts.next() == 1)
        try await store.write { tx in _ = try tx.insert(Post(title: "p", views: 3)) }
        try await store.write { tx in _ = try tx.insert(Post(title: "p", views: 30)) }
        #expect(try await counts.next() == 2)
        try await store.close()
    }

    @Test("a cancelled task ends, and leaves no observer")
    func cancellation() async throws {
        let store = try await open()
        let values = store.values(of: titles)
        let begun = AsyncStream<Void>.makeStream()
        let task = Task {
            var count = 0
            for try await _ in values {
                count += 1
                begun.continuation.yield()
            }
            return count
        }
        for await _ in begun.stream { break }
        #expect(store.observers == 1)
        task.cancel()
        #expect(try await task.value == 1)
        #expect(store.observers == 0)
        // One after the other may begin anew.
        do {
            var again = values.makeAsyncIterator()
            #expect(try await again.next()?.count == 0)
            #expect(store.observers == 1)
            try await store.write { tx in _ = try tx.insert(Post(title: "x")) }
            #expect(try await again.next()?.count == 1)
        }
        #expect(store.observers == 0)
        try await store.close()
    }

    @Test("an observer that was dropped keeps no store open")
    func dropping() async throws {
        let environment = Environment.inMemory()
        weak var dropped: Store?
        do {
            let store = try await open(environment)
            dropped = store
            var values = store.values(of: titles).makeAsyncIterator()
            _ = try await values.next()
            try await store.close()
        }
        #expect(dropped == nil)
    }

    @Test("observers come and go while there is writing")
    func crowd() async throws {
        let store = try await open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for observer in 0..<8 {
                group.addTask {
                    for _ in 0..<20 {
                        var counts = store.counts(of: Post.all).makeAsyncIterator()
                        let before = try await counts.next() ?? 0
                        try await store.write { tx in _ = try tx.insert(Post(title: "\(observer)")) }
                        let count = try await counts.next() ?? 0
                        #expect(count > before)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(store.observers == 0)
        #expect(try store.count(Post.all) == 160)
        try await store.close()
    }

    @Test("a store that is closed says so to those who wait")
    func closing() async throws {
        let store = try await open()
        var values = store.values(of: titles).makeAsyncIterator()
        _ = try await values.next()
        try await store.close()
        let error = await #expect(throws: StoreError.self) { _ = try await values.next() }
        #expect(error?.code == .closed)
        #expect(try await values.next() == nil)
    }

    @Test("what a failed commit took away is looked at again")
    func failure() async throws {
        let disk = SimulatedFileSystem()
        var environment = Environment.simulated(seed: 3, fileSystem: disk)
        environment.random = SeededRandom(seed: 4)
        let store = try await open(environment)
        try await store.write { tx in _ = try tx.insert(Post(title: "first")) }
        var values = store.values(of: titles).makeAsyncIterator()
        #expect(try await values.next()?.map(\.title) == ["first"])
        disk.inject(Fault(at: 0, of: .sync, effect: .losesUnsynced))
        await #expect(throws: StoreError.self) {
            try await store.write { tx in _ = try tx.insert(Post(title: "lost")) }
        }
        disk.clearFaults()
        #expect(try await values.next()?.map(\.title) == ["first"])
        try await store.write { tx in _ = try tx.insert(Post(title: "second")) }
        var seen: [String] = []
        while seen.count < 2, let posts = try await values.next() { seen = posts.map(\.title) }
        #expect(seen == ["first", "second"])
        try await store.close()
    }

    @Test("a request that does not fit is refused at once")
    func refusal() async throws {
        let store = try await Store.open(.inMemory, Post.self, Attachment.self, ImageData.self)
        var values = store.values(of: Post.all.where { _ in .compare(.property("veiws"), .equal, .constant(.int(1))) })
            .makeAsyncIterator()
        let error = await #expect(throws: StoreError.self) { _ = try await values.next() }
        #expect(error?.code == .unknownProperty)
        #expect(try await values.next() == nil)
        #expect(store.observers == 0)
        try await store.close()
    }
}
