import EventLog
import Foundation
import Projection
import SampleModel
import Simulation
import Storage
import Strandline
import Testing

@Suite struct StoreTests {
    @discardableResult
    private func withStore<Result>(
        _ environment: Environment = .inMemory(), _ body: (Store) async throws -> Result
    ) async throws -> Result {
        let store = try await Store.open(
            .environment("/store", environment), Post.self, Attachment.self, ImageData.self)
        let result = try await body(store)
        try await store.close()
        return result
    }

    /// Whoever comes second opens what the first has made, wherever the two meet.
    @Test func tasksThatOpenAStoreAtOnceHaveTheSameOne() async throws {
        for round in 0..<6 {
            let environment = Environment.inMemory()
            if round % 2 == 0 { try environment.fileSystem.createDirectory("/store") }
            let stores = try await withThrowingTaskGroup(of: Store.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        try await Store.open(
                            .environment("/store", environment), Post.self, Attachment.self, ImageData.self)
                    }
                }
                return try await group.reduce(into: [Store]()) { $0.append($1) }
            }
            #expect(Set(stores.map(\.dataset)).count == 1, "round \(round)")
            for store in stores { try await store.write { tx in _ = try tx.insert(Post(title: "x")) } }
            #expect(try stores[0].count(Post.all) == 4)
            for store in stores { try await store.close() }
        }
    }

    @Test func aStoreIsMadeInAnEmptyDirectoryAndNowhereElse() async throws {
        let environment = Environment.inMemory()
        let files = environment.fileSystem
        try files.createDirectory("/store")
        var options = Store.Options()
        options.creates = false
        let refused = await #expect(throws: StoreError.self) {
            try await Store.open(
                .environment("/store", environment), Post.self, Attachment.self, ImageData.self, options: options)
        }
        #expect(refused?.code == .notAStore)
        #expect(try files.list("/store").isEmpty)
        try await withStore(environment) { (store: Store) async throws in
            try await store.write { tx in _ = try tx.insert(Post(title: "first")) }
        }
        try await withStore(environment) { (store: Store) async throws in #expect(try store.count(Post.all) == 1) }
        try files.createDirectory("/photos")
        try files.open("/photos/one.jpg", .createNew).close()
        try files.open("/file", .createNew).close()
        try files.remove("/store/IDENTITY")
        for path in ["/photos", "/file", "/store"] {
            let error = await #expect(throws: StoreError.self) {
                try await Store.open(.environment(path, environment), Post.self, Attachment.self, ImageData.self)
            }
            #expect(error?.code == .notAStore, "\(path)")
        }
        #expect(try files.list("/photos") == ["one.jpg"])
        #expect(try files.list("/store/log").count == 1)
    }

    @Test func aStoreMayBeClosedTwice() async throws {
        let store = try await Store.open(.inMemory, Post.self, Attachment.self, ImageData.self)
        try await store.write { tx in _ = try tx.insert(Post(title: "x")) }
        for _ in 0..<3 { try await store.close() }
    }

    @Test func aWrittenObjectIsFetched() async throws {
        try await withStore { (store: Store) async throws in
            let receipt = try await store.write(author: "app") { tx in
                let post = try tx.insert(Post(title: "Hello", views: 600))
                try tx.insert(Attachment(name: "a", post: post.id))
                try tx.update(post.id) { $0.views += 1 }
                return post.id
            }
            #expect(receipt.isDurable)
            let found = try store.fetch(Post.where { $0.views > 500 }.sorted(by: \.title).limit(10))
            #expect(found.map(\.title) == ["Hello"])
            #expect(found[0].views == 601)
            #expect(found[0].id == receipt.value)
            #expect(found[0].attachments.count == 1)
            let pairs = try store.fetch(Post.all.select(\.title, \.views))
            #expect(pairs.count == 1 && pairs[0] == ("Hello", 601))
        }
    }

    @Test func aStoreReopensWithWhatWasWritten() async throws {
        let environment = Environment.inMemory()
        let (token, digest) = try await withStore(environment) { (store: Store) async throws in
            for number in 0..<10 { try await store.write { tx in _ = try tx.insert(Post(title: "\(number)")) } }
            return (store.token, try store.digest())
        }
        try await withStore(environment) { (store: Store) async throws in
            #expect(store.token == token)
            #expect(try store.digest() == digest)
            #expect(try store.count(Post.all) == 10)
        }
    }

    @Test func aThrowingClosureLeavesNothing() async throws {
        struct Stop: Error {}
        try await withStore { (store: Store) async throws in
            let before = try store.digest()
            await #expect(throws: Stop.self) {
                try await store.write { tx in
                    try tx.insert(Post(title: "gone"))
                    throw Stop()
                }
            }
            #expect(try store.count(Post.all) == 0)
            #expect(try store.digest() == before)
            let next = try await store.write { tx in try tx.insert(Post(title: "here")).id }
            #expect(try store.get(next.value)?.title == "here")
        }
    }

    @Test func aWriteThatChangesNothingRecordsNothing() async throws {
        try await withStore { (store: Store) async throws in
            let id = try await store.write { tx in try tx.insert(Post(title: "one")).id }.value
            let token = store.token
            let receipt = try await store.write { tx in try tx.update(id) { $0.title = "one" } }
            #expect(store.token == token)
            #expect(receipt.token == token)
        }
    }

    @Test func historyHasOldAndNewValues() async throws {
        try await withStore { (store: Store) async throws in
            let first = try await store.write { tx in try tx.insert(Post(title: "old")).id }
            try await store.write(author: "editor") { tx in try tx.update(first.value) { $0.title = "new" } }
            var seen: [Transaction] = []
            for try await transaction in store.history(after: first.token) { seen.append(transaction) }
            #expect(seen.count == 1)
            #expect(seen[0].header.author == "editor")
            guard case .update(_, _, _, let assignments) = seen[0].changes[0] else { return #expect(Bool(false)) }
            #expect(assignments[0].old == .string("old"))
            #expect(assignments[0].new == .string("new"))
            let past = try await store.snapshot(at: first.token)
            #expect(try past.fetch(Post.all).map(\.title) == ["old"])
        }
    }

    @Test func manyTasksWriteAtOnce() async throws {
        try await withStore { (store: Store) async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<16 {
                    group.addTask {
                        for number in 0..<20 {
                            try await store.write { tx in _ = try tx.insert(Post(title: "\(task).\(number)")) }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try store.count(Post.all) == 320)
        }
    }

    /// More stores than any thread pool of a fixed width has threads: each must go on however many are open.
    @Test func hundredsOfStoresOfOneProcessWriteAtOnce() async throws {
        let stores = try await withThrowingTaskGroup(of: Store.self) { group in
            for number in 0..<300 {
                group.addTask {
                    try await Store.open(.environment("/\(number)", .inMemory()), Post.self, Attachment.self, ImageData.self)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for store in stores { group.addTask { try await store.write { tx in _ = try tx.insert(Post(title: "x")) } } }
            try await group.waitForAll()
        }
        for store in stores {
            #expect(try store.count(Post.all) == 1)
            try await store.close()
        }
    }

    @Test func readingThroughTheStoreInsideAWriteIsRefused() async throws {
        try await withStore { (store: Store) async throws in
            try await store.write { tx in
                _ = try tx.insert(Post(title: "x"))
                let error = #expect(throws: StoreError.self) { try store.count(Post.all) }
                #expect(error?.code == .insideWrite)
            }
        }
    }

    @Test func whatAnotherProcessWritesIsSeen() async throws {
        let environment = Environment.inMemory()
        try await withStore(environment) { (first: Store) async throws in
            let second = try await Store.open(.environment("/store", environment), Post.self, Attachment.self, ImageData.self)
            let live = first.transactions()
            let watching = Task {
                var titles: [Value] = []
                for try await transaction in live {
                    for case .insert(_, _, let values) in transaction.changes {
                        titles += values.filter { $0.property.name == "title" }.map(\.value)
                    }
                    if titles.count == 3 { break }
                }
                return titles
            }
            for title in ["a", "b", "c"] { try await second.write { tx in _ = try tx.insert(Post(title: title)) } }
            #expect(try await watching.value == [.string("a"), .string("b"), .string("c")])
            #expect(try first.count(Post.all) == 3)
            try await first.write { tx in _ = try tx.insert(Post(title: "d")) }
            #expect(try second.count(Post.all) == 4)
            #expect(try second.digest() == first.digest())
            try await second.close()
        }
    }

    @Test func watchingEndsWithItsTask() async throws {
        try await withStore { (store: Store) async throws in
            let live = store.transactions()
            let watching = Task { for try await _ in live {} }
            try await Task.sleep(for: .milliseconds(20))
            watching.cancel()
            try await watching.value
        }
    }

    /// A relaxed write returns before the sync; what that sync then loses was promised to nobody.
    @Test func aRelaxedWriteIsCoveredByNoTokenBeforeItIsDurable() async throws {
        let disk = SimulatedFileSystem()
        let environment = Environment.simulated(seed: 1, fileSystem: disk)
        let store = try await Store.open(.environment("/store", environment), Post.self, Attachment.self, ImageData.self)
        try await store.write { tx in _ = try tx.insert(Post(title: "kept")) }
        let before = store.token
        disk.inject(Fault(at: 0, of: .sync, sticky: true, effect: .losesUnsynced))
        let receipt = try await store.write(durability: .relaxed) { tx in _ = try tx.insert(Post(title: "lost")) }
        #expect(!receipt.isDurable)
        #expect(receipt.token == before)
        try? await store.close()
        let image = disk.crash(keeping: .none)
        let again = try await Store.open(
            .environment("/store", environment.rebooted(fileSystem: image, seed: 2)), Post.self, Attachment.self, ImageData.self
        )
        #expect(try again.fetch(Post.all).map(\.title) == ["kept"])
        try await again.close()
    }

    /// Its log and two threads would hold its files for ever, and the writers' lock.
    @Test func aStoreThatIsNotClosedLeavesNothingBehind() async throws {
        weak var fileSystem: AnyObject?
        do {
            let environment = Environment.inMemory()
            fileSystem = environment.fileSystem as AnyObject
            let store = try await Store.open(
                .environment("/store", environment), Post.self, Attachment.self, ImageData.self)
            try await store.write { tx in try tx.insert(Post(title: "kept")) }
        }
        try await waitUntil { fileSystem == nil }
    }

    @Test func aPropertyOfAnotherTypeIsReported() async throws {
        struct Before: Entity {
            var id = ID()
            var size = ""
            static let schema = Schema<Self>("Thing") { Field("size", \.size) }
        }
        struct After: Entity {
            var id = ID()
            var size = 0
            static let schema = Schema<Self>("Thing") { Field("size", \.size) }
        }
        let environment = Environment.inMemory()
        let first = try await Store.open(.environment("/store", environment), Before.self)
        try await first.write { tx in _ = try tx.insert(Before()) }
        #expect(first.reports == [])
        try await first.close()
        let second = try await Store.open(.environment("/store", environment), After.self)
        #expect(second.reports == [.propertyRetyped(entity: "Thing", property: "size", type: .int, stored: [.string])])
        #expect(second.reports[0].description.contains("Thing.size is of type int now, and values that were stored as string"))
        try await second.close()
    }

    @Test func theExampleOfTheReadmeRuns() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "strandline-readme-\(UUID())")
        try FileManager.default.createDirectory(
            at: directory.appending(path: "shared"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        var example = ReadmeExample(in: directory)
        let (before, after) = try await example.run()
        #expect(before == 1 && after == 0 && example.audited == [""])

        let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "ReadmeExample.swift")
        let compiled = try Self.lines(of: String(contentsOf: source, encoding: .utf8))
        let readme = source.deletingLastPathComponent().appending(path: "../../../README.md")
        let parts = try String(contentsOf: readme, encoding: .utf8).components(separatedBy: "```")
        let shown = try #require(parts.first { $0.hasPrefix("swift\n") })
        let lines = Self.lines(of: String(shown.dropFirst("swift".count)))
        #expect(lines.count >= 20)
        for line in lines where !compiled.contains(line) { Issue.record("README.md shows what is not compiled: \(line)") }
    }

    @Test func theListingsOfTheGuideRun() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "strandline-guide-\(UUID())")
        try FileManager.default.createDirectory(
            at: directory.appending(path: "shared"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let example = GuideExample(in: directory)
        try await example.run()
        let heard = example.heard.all
        for line in [
            "found: 1 1 1 1 3", "Moominland Midwinter: 9.5", "\"Tove Jansson\": 1 books, 9.5 each",
            "then: Moominland Midwinter Moominland Midwinter Trollvinter", "undone: Moominland Midwinter",
        ] { #expect(heard.contains(line), "\(heard)") }
        #expect(heard.contains { $0.hasPrefix("unchanged, and refused: a new Author cannot have name = \"Tove Jansson\"") })

        let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "GuideExample.swift")
        let compiled = try Self.lines(of: String(contentsOf: source, encoding: .utf8))
        let guide = source.deletingLastPathComponent().appending(path: "../../../docs/GUIDE.md")
        let parts = try String(contentsOf: guide, encoding: .utf8).components(separatedBy: "```swift\n").dropFirst()
        #expect(parts.count >= 11)
        for part in parts {
            for line in Self.lines(of: part.components(separatedBy: "```")[0]) where !compiled.contains(line) {
                Issue.record("docs/GUIDE.md shows what is not compiled: \(line)")
            }
        }
    }

    private static func lines(of text: String) -> [String] {
        text.split(separator: "\n").map { line in
            let code = line.components(separatedBy: "//")[0]
            return code.trimmingCharacters(in: .whitespaces)
        }.filter { !$0.isEmpty }
    }
}
