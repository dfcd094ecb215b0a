import Dispatch
import SampleModel
import Simulation
import Storage
import Strandline
import Synchronization
import Testing

/// Runs the tasks of a test on a queue that can be told from others.
private final class OwnQueue: TaskExecutor {
    private static let mark = DispatchSpecificKey<Bool>()
    private let queue = DispatchQueue(label: "test.tasks")

    init() { queue.setSpecific(key: Self.mark, value: true) }

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

@Suite struct HistoryCursorTests {
    /// How often files were read, and how often by a thread that runs tasks.
    private final class Reads: Sendable {
        let all = Atomic(0), byTasks = Atomic(0)

        func note() {
            all.wrappingAdd(1, ordering: .relaxed)
            if OwnQueue.isCurrent { byTasks.wrappingAdd(1, ordering: .relaxed) }
        }
    }

    @Test func historyIsReadOnThreadsThatMayWait() async throws {
        let reads = Reads()
        var environment = Environment.inMemory()
        environment.fileSystem = HookedFileSystem(InMemoryFileSystem(), onRead: { _, _, _ in reads.note() })
        let store = try await Store.open(.environment("/store", environment), Post.self, Attachment.self, ImageData.self)
        for number in 0..<200 { try await store.write { tx in _ = try tx.insert(Post(title: "\(number)")) } }
        let token = store.token
        let before = reads.all.load(ordering: .relaxed)
        let counts = try await Task(executorPreference: OwnQueue()) {
            #expect(OwnQueue.isCurrent)
            var titles: [Int] = [0, 0]
            for try await transaction in store.history() { titles[0] += transaction.changes.count }
            var live = store.transactions(after: HistoryToken(dataset: store.dataset, vector: VersionVector()))
                .makeAsyncIterator()
            while titles[1] < titles[0], let transaction = try await live.next() { titles[1] += transaction.changes.count }
            #expect(OwnQueue.isCurrent)
            return titles
        }.value
        // The declarations of three entities come first.
        #expect(counts == [203, 203])
        #expect(reads.all.load(ordering: .relaxed) > before, "nothing was read, so nothing was shown")
        #expect(reads.byTasks.load(ordering: .relaxed) == 0)
        #expect(store.token == token)
        try await store.close()
    }

    /// More than one batch, with a large transaction among them, in order and each once.
    @Test func batchesFollowEachOther() async throws {
        let store = try await Store.open(.inMemory, Post.self, Attachment.self, ImageData.self)
        for number in 0..<150 {
            try await store.write(author: "\(number)") { tx in
                for _ in 0..<(number == 70 ? 3_000 : 1) { _ = try tx.insert(Post(title: "p")) }
            }
        }
        var authors: [String] = []
        for try await transaction in store.history(after: nil, HistoryFilter(entity: "Post")) {
            authors.append(transaction.header.author)
        }
        #expect(authors.filter { !$0.isEmpty } == (0..<150).map { "\($0)" })
        try await store.close()
    }

    @Test func whatCannotBeReadIsSaidAfterWhatCan() async throws {
        let store = try await Store.open(.inMemory, Post.self, Attachment.self, ImageData.self)
        try await store.write { tx in _ = try tx.insert(Post(title: "a")) }
        var history = store.history().makeAsyncIterator()
        #expect(try await history.next() != nil)
        try await store.close()
        // What was read ahead is still given.
        #expect(try await history.next()?.changes.count == 1)
        var late = store.history().makeAsyncIterator()
        let error = await #expect(throws: StoreError.self) { try await late.next() }
        #expect(error?.code == .closed)
    }
}
