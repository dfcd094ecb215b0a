import Projection
import SampleModel
import Simulation
import Storage
import Strandline
import Testing

/// Snapshots of a store one of whose runs is damaged while they are held.
@Suite struct SnapshotTests {
    /// Each way of asking a snapshot something for which it has to read runs.
    enum Question: CaseIterable {
        case row, related, get, getMany, fetch, tuples, prefetch, ids, rows, count, groups, digest, contentDigest, explain
        case explainRows, pages, page, stream
    }

    private static func request() -> FetchRequest<Post> { Post.all.sorted(by: \.title) }

    /// Asks, of all posts where one can be asked for.
    private static func ask(_ question: Question, _ snapshot: Snapshot, _ ids: [EntityID<Post>]) throws -> String {
        switch question {
        case .row: try ids.map { "\(try snapshot.row($0.object)?.id.description ?? "none")" }.joined()
        case .related: try ids.map { "\(try snapshot.related(to: $0.object, by: "attachments"))" }.joined()
        case .get: try ids.map { "\(try snapshot.get($0)?.title ?? "none")" }.joined()
        case .getMany: try snapshot.get(ids).map { $0?.title ?? "none" }.joined()
        case .fetch: try snapshot.fetch(request()).map(\.title).joined()
        case .tuples: "\(try snapshot.fetch(request().select(\.title, \.views)))"
        case .prefetch: "\(try snapshot.fetch(request().prefetching(\.attachments)).map { $0.related.count })"
        case .ids: "\(try snapshot.ids(of: request()))"
        case .rows: "\(try snapshot.rows(of: "Post").map(\.id))"
        case .count: "\(try snapshot.count(Post.where { $0.title.contains("7") }))"
        case .groups: "\(try snapshot.groups(of: "Post", by: [PropertyPath("title")], [.count]).count)"
        case .digest: try snapshot.digest()
        case .contentDigest: try snapshot.contentDigest()
        case .explain: "\(try snapshot.explain(request()).found)"
        case .explainRows: "\(try snapshot.explain(of: "Post", where: try Filter("title CONTAINS '7'")).found)"
        case .pages: "\(try snapshot.pages(of: request(), size: 7).objectCount)"
        case .page: try pages(of: snapshot).joined()
        case .stream: try streamed(snapshot).joined()
        }
    }

    private static func pages(of snapshot: Snapshot) throws -> [String] {
        let pages = try snapshot.pages(of: Post.all, size: 7)
        return try (0..<pages.count).flatMap { try pages.page($0).map { "\($0.title) \($0.attachments.count)" } }
    }

    private static func streamed(_ snapshot: Snapshot) throws -> [String] {
        var ids: [String] = []
        try snapshot.stream(of: "Post", where: .always(true), sortedBy: []).forEachRow { ids.append($0.id.description) }
        return ids
    }

    private func open(_ environment: Environment) async throws -> Store {
        try await Store.open(
            .environment("/store", environment), Post.self, Attachment.self, ImageData.self,
            options: LiveStateRunsTests.options(memory: 1 << 20))
    }

    /// A store that has just been opened, so that nothing of its one run has been read, and the ids of its posts.
    private func prepare() async throws -> (disk: SimulatedFileSystem, ids: [EntityID<Post>], answers: [Question: String]) {
        let disk = SimulatedFileSystem()
        let store = try await open(.simulated(seed: 1, fileSystem: disk))
        try await store.write { tx in
            for number in 0..<150 {
                let post = try tx.insert(Post(title: "title \(number)", views: number))
                _ = try tx.insert(Attachment(name: "of \(number)", post: post.id))
            }
        }
        try await store.compact()
        let snapshot = try store.snapshot()
        let ids = try snapshot.ids(of: Self.request())
        var answers: [Question: String] = [:]
        for question in Question.allCases { answers[question] = try Self.ask(question, snapshot, ids) }
        try await store.close()
        return (disk, ids, answers)
    }

    /// Whatever of a run is damaged under a snapshot: an answer is the right one, or there is none.
    @Test(arguments: Question.allCases) func noAnswerLacksWhatCannotBeRead(question: Question) async throws {
        let (disk, ids, answers) = try await prepare()
        let runs = try disk.list("/store/runs").filter { $0.hasSuffix(".run") }
        let path = "/store/runs/" + (try #require(runs.first))
        let bytes = try disk.readWhole(path, limit: 1 << 20)
        var healed = 0
        for place in stride(from: 1, to: bytes.count, by: bytes.count / 12) {
            let files = disk.clone(sameIdentity: true)
            let store = try await open(.simulated(seed: UInt64(place) + 2, fileSystem: files))
            let snapshot = try store.snapshot()
            let file = try files.open(path, .readWrite)
            let flipped = [bytes[place] ^ 0x40]
            try file.write(flipped.span, at: UInt64(place))
            file.close()
            let answer = try Self.ask(question, snapshot, ids)
            #expect(answer == answers[question], "\(question) at \(place)")
            healed += store.reports.count
            let again = try Self.ask(question, snapshot, ids)
            #expect(again == answers[question] && store.reports.count <= 1, "\(question) at \(place), again")
            try await store.close()
        }
        #expect(healed > 0)
    }

    @Test func pagesThatThereCannotBeAreRefused() async throws {
        let store = try await open(.inMemory())
        try await store.write { tx in for number in 0..<9 { _ = try tx.insert(Post(title: "\(number)")) } }
        let pages = try store.pages(of: Post.all, size: 4)
        #expect(pages.count == 3)
        for number in [-1, 3] {
            let error = #expect(throws: StoreError.self) { try pages.page(number) }
            #expect(error?.code == .invalidOption)
        }
        for size in [0, -1] {
            let error = #expect(throws: StoreError.self) { try store.pages(of: Post.all, size: size) }
            #expect(error?.code == .invalidOption)
        }
        try await store.close()
    }
}
