import EventLog
import Projection
import SampleModel
import Simulation
import Storage
import Strandline
import Testing

@Suite struct StoreSyncTests {
    private let environment = Environment.inMemory()

    private func open(_ name: String, _ dataset: DatasetID? = nil) async throws -> Store {
        var options = Store.Options()
        options.dataset = dataset
        return try await Store.open(
            .environment("/\(name)", environment), Post.self, Attachment.self, ImageData.self, options: options)
    }

    private func history(_ store: Store) async throws -> Set<Transaction> {
        var all: Set<Transaction> = []
        for try await transaction in store.history() { all.insert(transaction) }
        return all
    }

    @Test(arguments: [false, true]) func editsOfBothSidesMeet(isLeftFirst: Bool) async throws {
        try environment.fileSystem.createDirectory("/shared")
        let left = try await open("left")
        let right = try await open("right", left.dataset)
        let post = try await left.write { tx in try tx.insert(Post(title: "one", views: 1)).id }.value
        try await left.sync(with: .folder(path: "/shared"))
        try await right.sync(with: .folder(path: "/shared"))
        #expect(try right.get(post)?.title == "one")

        try await left.write(author: "left") { tx in
            try tx.update(post) {
                $0.title = "left"
                $0.views = 10
            }
        }
        try await right.write(author: "right") { tx in
            try tx.update(post) {
                $0.title = "right"
                $0.content = "right"
            }
        }
        let order = isLeftFirst ? [left, right, left] : [right, left, right]
        for store in order { try await store.sync(with: .folder(path: "/shared")) }

        #expect(try left.digest() == right.digest())
        #expect(left.token == right.token)
        let merged = try #require(try left.get(post))
        #expect(merged.views == 10 && merged.content == "right")
        #expect(["left", "right"].contains(merged.title))
        #expect(try await history(left) == history(right))
        let conflicts = try await left.conflicts()
        #expect(try await right.conflicts() == conflicts)
        #expect(conflicts.contains { $0.property.name == "title" && $0.winner.value == .string(merged.title) })
        let loser = merged.title == "left" ? "right" : "left"
        #expect(conflicts.contains { $0.losers.contains { $0.value == .string(loser) } })
        try await left.close()
        try await right.close()
    }

    /// A trim waits for those who read a folder; who was away for longer than that takes the baseline, and loses nothing of its own.
    @Test func whoWasAwayCatchesUpThroughAFolder() async throws {
        let environment = Environment.simulated(seed: 5)
        let clock = try #require(environment.clock as? SimulatedClock)
        let folder = SyncPeer.folder(path: "/shared")
        try environment.fileSystem.createDirectory("/shared")
        func open(_ path: String, _ dataset: DatasetID? = nil) async throws -> Store {
            var options = Store.Options()
            options.dataset = dataset
            return try await Store.open(
                .environment(path, environment), Post.self, Attachment.self, ImageData.self, options: options)
        }
        let left = try await open("/left")
        let right = try await open("/right", left.dataset)
        let posts = try await left.write { tx in try (0..<4).map { try tx.insert(Post(title: "\($0)", views: $0)).id } }.value
        for store in [left, right, left] { try await store.sync(with: folder) }

        // Neither knows of this of the other.
        try await right.write { tx in
            try tx.update(posts[0]) { $0.title = "deleted, and changed by right" }
            try tx.update(posts[1]) { $0.content = "right" }
        }
        let mine = try await right.write { tx in try tx.insert(Post(title: "only right has it")).id }.value
        try await left.write { tx in
            try tx.delete(posts[0])
            try tx.update(posts[1]) { $0.title = "left" }
            let attachment = try tx.insert(Attachment(name: "a", post: posts[1]))
            _ = try tx.insert(ImageData(data: Blob([UInt8](repeating: 3, count: 90_000)), attachment: attachment.id))
        }
        try await left.sync(with: folder)
        let early = try await left.trim(before: left.token)
        #expect(early.blockers.map(\.record.name) == ["folder:/shared"])

        clock.advance(milliseconds: 31 * 86_400_000)
        let late = try await left.trim(before: left.token)
        #expect(late.blockers.isEmpty && late.transactions > 0)
        let published = try await left.sync(with: folder)
        #expect(published.exported.baselines == 1)

        let new = try await open("/new", left.dataset)
        let joined = try await new.sync(with: folder)
        #expect(joined.imported.baselines == 1 && joined.imported.blobs == 1 && joined.skipped.isEmpty)
        #expect(try new.digest() == left.digest())
        let caughtUp = try await right.sync(with: folder)
        #expect(caughtUp.imported.baselines == 1 && caughtUp.exported.transactions == 2 && caughtUp.skipped.isEmpty)
        for store in [left, new] { try await store.sync(with: folder) }
        let stores = [left, right, new]
        for store in stores {
            #expect(try store.get(posts[0]) == nil)
            #expect(try store.get(posts[1])?.title == "left" && store.get(posts[1])?.content == "right")
            #expect(try store.get(mine)?.title == "only right has it")
            #expect(try store.digest() == left.digest())
            let image = try #require(try store.fetch(ImageData.all).first)
            let count = try image.data.read().count
            #expect(count == 90_000)
            #expect(try await store.verify().problems.isEmpty)
        }
        for store in stores { try await store.close() }
    }

    @Test func storesMeetDirectly() async throws {
        let left = try await open("left")
        let right = try await open("right", left.dataset)
        for number in 0..<20 { try await left.write { tx in _ = try tx.insert(Post(title: "l\(number)")) } }
        for number in 0..<20 { try await right.write { tx in _ = try tx.insert(Post(title: "r\(number)")) } }
        try await right.close()
        let report = try await left.sync(with: .store(path: "/right"))
        #expect(report.exported.transactions == 21 && report.imported.transactions == 21)
        let again = try await open("right")
        #expect(try again.digest() == left.digest())
        #expect(try again.count(Post.all) == 40)
        try await left.close()
        try await again.close()
    }

    @Test func writesGoOnDuringASync() async throws {
        try environment.fileSystem.createDirectory("/shared")
        let left = try await open("left")
        let right = try await open("right", left.dataset)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for store in [left, right] {
                group.addTask {
                    for number in 0..<50 { try await store.write { tx in _ = try tx.insert(Post(title: "\(number)")) } }
                }
                group.addTask { for _ in 0..<5 { try await store.sync(with: .folder(path: "/shared")) } }
            }
            try await group.waitForAll()
        }
        for store in [left, right, left] { try await store.sync(with: .folder(path: "/shared")) }
        #expect(try left.count(Post.all) == 100)
        #expect(try left.digest() == right.digest())
        try await left.close()
        try await right.close()
    }

    @Test func equalKeysAreOneObject() async throws {
        let left = try await open("left")
        let right = try await open("right", left.dataset)
        let code = "6F9619FF-8B86-D011-B42D-00CF4FC964FF"
        for (store, title) in [(left, "a"), (right, "b")] {
            try await store.write { tx in
                _ = try tx.upsert(
                    "Post",
                    [
                        PropertyValue(Property("code", .uuid), .uuid(Digest128(high: 1, low: 2))),
                        PropertyValue(Property("title", .string), .string(title)),
                    ])
            }
        }
        try await right.close()
        try await left.sync(with: .store(path: "/right"))
        #expect(try left.count(Post.all) == 1, "\(code)")
        try await left.close()
    }
}
