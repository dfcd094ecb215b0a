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

    @Test(arguments: [false, true]) func whoComesNextMeetsNoDamage(_ isReadOnly: Bool) async throws {
        let (whole, digest) = try await made()
        let path = try run(whole)
        let bytes = try whole.readWhole(path, limit: 1 << 20)
        var met = 0
        for reading in Reading.allCases where !isReadOnly || (reading != .write && reading != .compact) {
            for place in stride(from: 20, to: bytes.count, by: bytes.count / 9) {
                let files = whole.clone(sameIdentity: true)
                var damaged = bytes
                damaged[place] ^= 0x40
                try files.replace(path, with: damaged)
                let first = try await open(files, seed: 2, isReadOnly: isReadOnly)
                try await ask(first, reading, digest)
                try await ask(first, .digest, digest)
                met += first.reports.count
                #expect(first.reports.count <= 1)
                try await first.close()
                let second = try await open(files, seed: 3, isReadOnly: true)
                for other in [Reading.fetch, .digest, .rows] { try await ask(second, other, digest) }
                #expect(second.reports.isEmpty, "\(reading) at \(place)")
                try await second.close()
            }
        }
        #expect(met > 10)
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

    /// Too many open files, or a directory that may not be read, is no damage: it is told, and costs nothing.
    @Test(arguments: [StorageError.Code.tooManyOpenFiles, .permissionDenied]) func whatPassesIsNoDamage(
        _ code: StorageError.Code
    ) async throws {
        let (whole, digest) = try await made()
        let names = try whole.list("/store/runs")
        var refused = 0
        for index in 0... {
            let files = whole.clone(sameIdentity: true)
            files.inject(Fault(at: index, of: .open, with: code))
            do {
                let store = try await open(files, seed: 2, isReadOnly: true)
                try await ask(store, .digest, digest)
                #expect(store.reports.isEmpty, "open \(index)")
                try await store.close()
            } catch {
                refused += 1
                #expect("\(error)".contains("/store"), "\(error)")
            }
            #expect(try files.list("/store/runs") == names)
            if files.failureCount == 0 { break }
        }
        #expect(refused > 1)
    }

    /// Where nothing can be written, memory has a limit that is told.
    @Test func aFoldThatCannotBeWrittenIsBounded() async throws {
        let (files, digest) = try await made(count: 3_000)
        let path = try run(files)
        var damaged = try files.readWhole(path, limit: 1 << 24)
        damaged[damaged.count - 20] ^= 1
        try files.replace(path, with: damaged)
        let full = files.clone(sameIdentity: true)
        full.inject(Fault(at: 0, of: .create, with: .readOnlyFileSystem, sticky: true))
        full.inject(Fault(at: 0, of: .createDirectory, with: .readOnlyFileSystem, sticky: true))
        let error = await #expect(throws: (any Error).self) {
            try await open(full, seed: 2, isReadOnly: true) {
                $0.projection.memory = 50_000
                $0.projection.most = 200_000
            }
        }
        #expect("\(error as Any)".contains("make that directory writable"), "\(error as Any)")
        // There is room for runs: what is folded goes there.
        let store = try await open(files, seed: 2, isReadOnly: true) {
            $0.projection.memory = 50_000
            $0.projection.most = 900_000
        }
        #expect(try store.digest() == digest)
        try await store.close()
        let next = try await open(files, seed: 3, isReadOnly: true)
        #expect(try next.digest() == digest && next.reports.isEmpty)
        try await next.close()
    }
}
