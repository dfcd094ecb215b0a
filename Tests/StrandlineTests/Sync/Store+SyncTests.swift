import EventLog
import Projection
import SampleModel
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
