import Foundation
import SampleModel
import Strandline
import Synchronization
import Testing

@Suite("Filling a store")
struct StoreFillingTests {
    private struct Broken: Error {}

    /// Counts from zero.
    private final class Calls: Sendable {
        private let count = Atomic(0)
        func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).oldValue }
    }

    private func withStore(_ body: (Store) async throws -> Void) async throws {
        let store = try await Store.open(.inMemory, Post.self, Attachment.self, ImageData.self)
        try await body(store)
        #expect(try await store.verify().isSound)
        try await store.close()
    }

    // Apart from the tests: a closure in what a macro expands to, inside another closure, has been seen to stand in for a later one
    // there (Swift 6.3.1).
    private func titled(_ title: String) -> FetchRequest<Post> { Post.where { $0.title == title } }

    private static func code(_ number: Int) -> UUID? {
        UUID(uuidString: "00000000-0000-0000-0000-\(String(format: "%012d", number))")
    }

    @Test("objects come one by one, and go in transactions of a batch", arguments: [(0, 0), (10, 1), (25, 3), (30, 3)])
    func batches(count: Int, transactions: Int) async throws {
        try await withStore { (store: Store) async throws in
            let token = store.token
            let told = Mutex<[Int]>([])
            var number = 0
            let summary = try await store.insert(
                Post.self, batch: 10, author: "loader", progress: { done in told.withLock { $0.append(done.inserted) } }
            ) { post in
                guard number < count else { return false }
                #expect(post.title == "" && post.id.isPlaceholder)
                post.title = "\(number)"
                number += 1
                return true
            }
            #expect(summary.inserted == count && summary.transactions == transactions && summary.objects == count)
            #expect(told.withLock { $0 } == stride(from: 10, to: count, by: 10) + (count > 0 ? [count] : []))
            #expect(Set(try store.fetch(Post.all).map(\.title)) == Set((0..<count).map { "\($0)" }))
            var sizes: [Int] = []
            for try await transaction in store.history(after: token) {
                #expect(transaction.header.author == "loader")
                sizes.append(transaction.changes.count)
            }
            #expect(sizes.reduce(0, +) == count && sizes.count == transactions && sizes.allSatisfy { $0 <= 10 })
        }
    }

    @Test("a closure that fails leaves the batches before, and says so")
    func failure() async throws {
        try await withStore { (store: Store) async throws in
            let calls = Calls()
            let error = await #expect(throws: BatchError.self) {
                try await store.insert(Post.self, batch: 10) { post in
                    if calls.next() == 27 { throw Broken() }
                    return true
                }
            }
            #expect(error?.cause is Broken)
            #expect(error?.done.inserted == 20 && error?.done.transactions == 2)
            #expect(error?.description.contains("20 objects were done before, in 2 transactions that stay") == true)
            #expect(try store.count(Post.all) == 20)
            #expect(calls.next() == 28, "it was called again after it had failed")
        }
    }

    @Test("an object that the store refuses takes its batch along, and no other")
    func refusal() async throws {
        try await withStore { (store: Store) async throws in
            let calls = Calls()
            let error = await #expect(throws: BatchError.self) {
                try await store.insert(Post.self, batch: 10) { post in
                    let number = calls.next()
                    // The twenty-first has the code of the first.
                    post.code = Self.code(number % 20)
                    return number < 40
                }
            }
            #expect((error?.cause as? StoreError)?.code == .duplicateKey)
            #expect(error?.done.inserted == 20)
            #expect(try store.count(Post.all) == 20)
        }
    }

    @Test("cancelling ends between two transactions")
    func cancellation() async throws {
        try await withStore { (store: Store) async throws in
            let (begin, begun) = AsyncStream<Void>.makeStream()
            let work = Mutex<Task<BatchSummary, any Error>?>(nil)
            let task = Task {
                for await _ in begin { break }
                return try await store.insert(
                    Post.self, batch: 10, progress: { done in if done.inserted == 30 { work.withLock { $0?.cancel() } } }
                ) { post in
                    post.title = "endless"
                    return true
                }
            }
            work.withLock { $0 = task }
            begun.yield()
            let error = await #expect(throws: BatchError.self) { try await task.value }
            #expect(error?.cause is CancellationError)
            #expect(error?.done.inserted == 30)
            #expect(error?.description.hasPrefix("the work was cancelled; 30 objects") == true)
            #expect(try store.count(Post.all) == 30)
        }
    }

    @Test("upserts merge by the unique key, by their policy")
    func upserts() async throws {
        try await withStore { (store: Store) async throws in
            @Sendable func posts(_ range: Range<Int>, title: String) -> (inout Post) throws -> Bool {
                var rest = range[...]
                return { post in
                    guard let number = rest.popFirst() else { return false }
                    post.code = Self.code(number)
                    post.title = title
                    return true
                }
            }
            let first = try await store.upsert(Post.self, batch: 7, posts(0..<20, title: "old"))
            #expect(first.inserted == 20 && first.transactions == 3)
            let again = try await store.upsert(Post.self, batch: 7, posts(0..<20, title: "old"))
            #expect(again.unchanged == 20 && again.transactions == 0)
            let kept = try await store.upsert(Post.self, policy: .keepStored, batch: 7, posts(10..<30, title: "new"))
            #expect(kept.inserted == 10 && kept.unchanged == 10)
            let over = try await store.upsert(Post.self, batch: 7, posts(0..<5, title: "new"))
            #expect(over.updated == 5)
            #expect(try store.count(titled("new")) == 15)
            let error = await #expect(throws: BatchError.self) {
                try await store.upsert(Post.self, policy: .fail, batch: 5, posts(25..<40, title: "x"))
            }
            #expect((error?.cause as? StoreError)?.code == .duplicateKey)
            let empty = await #expect(throws: BatchError.self) {
                try await store.upsert(Post.self, batch: 0, posts(0..<1, title: "x"))
            }
            #expect((empty?.cause as? StoreError)?.code == .invalidOption)
            let none = await #expect(throws: BatchError.self) { try await store.delete(titled("new"), batch: 0) }
            #expect((none?.cause as? StoreError)?.code == .invalidOption)
        }
    }
}
