import EventLog
import Projection
import SampleModel
import Simulation
import Storage
import Strandline
import Testing

/// Runs that are damaged, of another store, or out of reach: who meets it first gets the right answer, and who comes next a sound store.
@Suite struct LiveStateRunsFaultTests {
    /// Usual sizes, so that nothing here would be written but for the damage.
    private func open(
        _ files: SimulatedFileSystem, seed: UInt64 = 1, isReadOnly: Bool = false,
        _ change: (inout Store.Options) -> Void = { _ in }
    ) async throws -> Store {
        var options = Store.Options()
        options.projection.cache = 1 << 20
        options.isReadOnly = isReadOnly
        change(&options)
        return try await Store.open(
            .environment("/store", .simulated(seed: seed, fileSystem: files)), Post.self, Attachment.self, ImageData.self,
            options: options)
    }

    /// A store with one run of all.
    private func made(title: String = "qqqq", count: Int = 300) async throws -> (files: SimulatedFileSystem, digest: String) {
        let files = SimulatedFileSystem()
        let store = try await open(files)
        try await store.write { tx in
            for number in 0..<count {
                _ = try tx.insert(Post(title: "\(title) \(number)", content: "\(number)", views: number))
            }
        }
        try await store.compact()
        let digest = try store.digest()
        try await store.close()
        return (files, digest)
    }

    private func run(_ files: SimulatedFileSystem) throws -> String {
        "/store/runs/" + (try #require(try files.list("/store/runs").first { $0.hasSuffix(".run") }))
    }

    private enum Reading: CaseIterable { case fetch, digest, pages, rows, write, compact }

    private func ask(_ store: Store, _ reading: Reading, _ digest: String) async throws {
        switch reading {
        case .fetch:
            let posts = try store.snapshot().fetch(Post.where { $0.views >= 100 })
            #expect(posts.count == 200 && posts.allSatisfy { $0.title == "qqqq \($0.views)" })
        case .digest: #expect(try store.digest() == digest)
        case .pages:
            let pages = try store.pages(of: Post.all.sorted(by: \.views), size: 70)
            let found = try (0..<pages.count).flatMap { try pages.page($0).map(\.views) }
            #expect(found == Array(0..<300))
        case .rows: #expect(try store.snapshot().rows(of: "Post").count == 300)
        case .write:
            func raise() async throws -> Int {
                try await store.write { tx in
                    let posts = try tx.fetch(Post.where { $0.views == 299 })
                    for post in posts { try tx.update(post.id) { $0.content = "299" } }
                    return posts.count
                }.value
            }
            // Nothing untrue is said of the objects, and the next attempt succeeds.
            do { #expect(try await raise() == 1) } catch let error as StoreError {
                #expect(error.code == .busy && error.isRetryable)
                #expect(try await raise() == 1)
            }
        case .compact: try await store.compact()
        }
    }

    /// A run of the same size and name, sound in itself.
    @Test func aRunOfAnotherTimeIsNotTakenForThisOne() async throws {
        let (files, digest) = try await made()
        let path = try run(files)
        let size = try files.readWhole(path, limit: 1 << 20).count
        // Compression makes most of them some bytes longer or shorter.
        var other: [UInt8]?
        for letter in "abcdefghijklmnoprstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" where other == nil {
            let (others, otherDigest) = try await made(title: String(repeating: letter, count: 4))
            let bytes = try others.readWhole(try run(others), limit: 1 << 20)
            if bytes.count == size, otherDigest != digest { other = bytes }
        }
        try files.replace(path, with: try #require(other))
        let store = try await open(files, seed: 2)
        for reading in [Reading.fetch, .digest, .rows] { try await ask(store, reading, digest) }
        #expect(store.reports.count == 1)
        try await store.close()
    }
}
