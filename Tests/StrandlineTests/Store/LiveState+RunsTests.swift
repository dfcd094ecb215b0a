import EventLog
import Projection
import SampleModel
import Simulation
import Storage
import Strandline
import Synchronization
import Testing

/// Stores whose memory is so small that they go to runs after some objects.
@Suite struct LiveStateRunsTests {
    static func options(memory: Int = 4_000, rest: Int = 0) -> Store.Options {
        var options = Store.Options()
        options.projection.memory = memory
        options.projection.rest = rest
        options.projection.cache = 1 << 20
        return options
    }

    private func runs(_ environment: Environment) throws -> Set<String> {
        Set(try environment.fileSystem.list("/store/runs").filter { $0.hasSuffix(".run") })
    }

    private func open(_ environment: Environment, _ options: Store.Options = options()) async throws -> Store {
        try await Store.open(
            .environment("/store", environment), Post.self, Attachment.self, ImageData.self, options: options)
    }

    @Test(arguments: 0..<12) func whateverIsInRunsTheStateIsTheLogs(seed: UInt64) async throws {
        var script = PostScript(seed: seed)
        let environment = Environment.inMemory()
        for round in 0..<6 {
            let store = try await open(environment, Self.options(rest: round.isMultiple(of: 2) ? 0 : 1 << 20))
            try await script.check(store)
            for _ in 0..<25 { try await script.step(store) }
            try await script.check(store)
            #expect(try await store.verifyState().isSound)
            // Every other one is not closed.
            if round % 3 < 2 { try await store.close() }
        }
        let names = try environment.fileSystem.list("/store/runs").filter { $0.hasSuffix(".run") }
        #expect(!names.isEmpty && names.count < 12, "\(names)")
    }

    @Test func aTransactionLargerThanMemoryIsSeenWholeOrNotAtAll() async throws {
        let environment = Environment.inMemory()
        let store = try await open(environment)
        try await store.write { tx in for number in 0..<50 { _ = try tx.insert(Post(title: "old \(number)", views: number)) } }
        try await store.compact()
        let before = try runs(environment)
        struct Refusal: Error {}
        await #expect(throws: Refusal.self) {
            try await store.write { tx in
                for number in 0..<300 { _ = try tx.insert(Post(title: "lost \(number)")) }
                _ = try tx.delete(Post.where { $0.title.hasPrefix("old") })
                let count = try tx.count(Post.all)
                #expect(count == 300)
                let spilled = try runs(environment).subtracting(before)
                #expect(!spilled.isEmpty)
                throw Refusal()
            }
        }
        // Before anything else is published, with which leftovers would go; the thread that wrote them may hold them a moment longer.
        try await waitUntil { try runs(environment) == before }
        #expect(try store.count(Post.all) == 50)
        try await store.write { tx in
            for number in 0..<300 { _ = try tx.insert(Post(title: "new \(number)")) }
            _ = try tx.delete(Post.where { $0.views < 25 && $0.title.hasPrefix("old") })
        }
        #expect(try store.count(Post.all) == 325)
        #expect(try await store.verifyState().isSound)
        try await store.close()
        let again = try await open(environment)
        #expect(try again.count(Post.where { $0.title.hasPrefix("new") }) == 300)
        #expect(try again.count(Post.where { $0.title.hasPrefix("old") }) == 25)
        try await again.close()
    }

    /// Several large transactions, each of which touches what the one before wrote while that is being published or not yet.
    @Test(arguments: 0..<6) func largeTransactionsFollowEachOther(seed: UInt64) async throws {
        let environment = Environment.inMemory()
        var random = SplitMix64(seed: seed)
        var store = try await open(environment)
        let plain = try await Store.open(.inMemory, Post.self, Attachment.self, ImageData.self)
        struct Refusal: Error {}
        for round in 0..<8 {
            let fails = Int.random(in: 0..<3, using: &random) == 0
            let number = Int.random(in: 1...120, using: &random)
            for each in [store, plain] {
                _ = try? await each.write { tx in
                    for place in 0..<number { _ = try tx.insert(Post(title: "\(round) \(place)", views: place)) }
                    for post in try tx.fetch(Post.where { $0.views < 30 }) { try tx.update(post.id) { $0.views += round } }
                    _ = try tx.delete(Post.where { $0.views > 90 && $0.views < 110 })
                    if fails { throw Refusal() }
                }
            }
            #expect(try store.contentDigest() == plain.contentDigest(), "round \(round)")
            if Int.random(in: 0..<3, using: &random) == 0 {
                try await store.close()
                store = try await open(environment)
                #expect(try store.contentDigest() == plain.contentDigest(), "round \(round), opened again")
            }
        }
        #expect(try await store.verifyState().isSound)
        try await store.close()
        try await plain.close()
    }

    /// A transaction in a file of its own is joined part by part, and put into runs on the way.
    @Test func aStagedTransactionIsFoldedInBoundedMemory() async throws {
        let environment = Environment.inMemory()
        let options = Self.options(memory: 200_000)
        let text = String(repeating: "content ", count: 100)
        var store = try await open(environment, options)
        try await store.write { tx in
            for number in 0..<6_000 { _ = try tx.insert(Post(title: "\(number)", content: "\(number) \(text)")) }
        }
        let digest = try store.digest()
        try await store.close()
        #expect(try environment.fileSystem.list("/store/staged").count == 1)
        try environment.fileSystem.removeTree("/store/runs")
        store = try await open(environment, options)
        #expect(try store.digest() == digest)
        #expect(try store.count(Post.all) == 6_000)
        #expect(try await store.verifyState().isSound)
        try await store.close()
    }

    /// Who reads while a transaction is in progress gets what was there before it, at once.
    @Test func aTransactionInProgressKeepsNoReaderWaiting() async throws {
        let environment = Environment.inMemory()
        let store = try await open(environment)
        try await store.write { tx in for number in 0..<20 { _ = try tx.insert(Post(title: "\(number)")) } }
        let (begun, read) = (WakeSignal(), WakeSignal())
        async let written = store.write { tx in
            for number in 0..<100 { _ = try tx.insert(Post(title: "new \(number)")) }
            begun.advance()
            read.wait(past: 0)
        }
        try await blocking {
            begun.wait(past: 0)
            defer { read.advance() }
            for _ in 0..<3 {
                let count = try store.count(Post.all)
                #expect(count == 20)
                let snapshot = try store.snapshot()
                #expect(try snapshot.count(Post.all) == 20)
            }
        }
        _ = try await written
        #expect(try store.count(Post.all) == 120)
        #expect(try await store.verifyState().isSound)
        try await store.close()
    }

    @Test func aSnapshotStaysAsItWasAndLetsGoOfItsFiles() async throws {
        let environment = Environment.inMemory()
        let store = try await open(environment)
        try await store.write { tx in for number in 0..<200 { _ = try tx.insert(Post(title: "\(number)", views: 1)) } }
        var before: Snapshot? = try await store.snapshot(at: store.token)
        let held = try store.snapshot()
        for value in 2..<12 {
            try await store.write { tx in
                for post in try tx.fetch(Post.all) { try tx.update(post.id) { $0.views = value } }
            }
        }
        #expect(try before?.count(Post.where { $0.views == 1 }) == 200)
        #expect(try held.count(Post.where { $0.views == 1 }) == 200)
        #expect(try store.count(Post.where { $0.views == 11 }) == 200)
        before = nil
        try await store.close()
    }

    /// By what damage is met first: each way of asking reads runs by other calls.
    enum FirstQuestion { case digest, objectsByID, relatedByID, fetch, write }

    private static let damages: [(String, FirstQuestion)] = [
        ("cut", .fetch), ("gone", .digest), ("manifest", .digest), ("empty", .digest), ("flip", .digest),
        ("flip", .objectsByID), ("flip", .relatedByID), ("flip", .fetch), ("flip", .write),
    ]

    /// A run that is damaged, cut or gone, or a manifest that is: the state is the log's all the same.
    @Test(arguments: damages) func damageIsMadeGood(kind: String, first: FirstQuestion) async throws {
        let whole = SimulatedFileSystem()
        var script = PostScript(seed: 7)
        let written = try await open(.simulated(seed: 1, fileSystem: whole))
        for _ in 0..<30 { try await script.step(written) }
        let digest = try written.digest()
        try await written.close()
        let runs = try whole.list("/store/runs").filter { $0.hasSuffix(".run") }.map { "/store/runs/" + $0 }
        var sizes: [String: Int] = [:]
        for run in runs { sizes[run] = Int(try #require(try whole.attributes(of: run)).size) }
        // The largest, so that most is in it.
        let largest = try #require(runs.max { sizes[$0] ?? 0 < sizes[$1] ?? 0 })
        let path = kind == "manifest" ? "/store/runs/MANIFEST" : largest
        let bytes = try whole.readWhole(path, limit: 1 << 20)
        let isOneForAll = kind == "gone" || kind == "empty"
        var reported = 0
        for place in stride(from: 0, to: isOneForAll ? 1 : bytes.count, by: max(1, bytes.count / 12)) {
            // What was put right has other files, so each place is damaged in a copy of its own.
            let files = whole.clone(sameIdentity: true)
            var damaged = bytes
            switch kind {
            case "cut": damaged.removeSubrange(place...)
            case "empty": damaged = []
            default: damaged[place] ^= 0x40
            }
            if kind == "gone" { try files.remove(path) } else { try files.replace(path, with: damaged) }
            let environment = Environment.simulated(seed: UInt64(place) + 2, fileSystem: files)
            let store = try await open(environment)
            switch first {
            case .digest: #expect(try store.digest() == digest, "\(kind) at \(place)")
            case .objectsByID: try script.checkObjects(store)
            case .relatedByID: try script.checkRelated(store)
            case .fetch: try await script.check(store)
            case .write: try await script.checkWithin(store)
            }
            #expect(try store.digest() == digest, "\(kind) at \(place)")
            try await script.check(store)
            #expect(try await store.verifyState().isSound)
            // Said once, by whoever found it; what was put right has nothing to say.
            #expect(store.reports.count <= 1)
            reported += store.reports.count
            try await store.close()
            let again = try await open(environment)
            try await script.check(again)
            #expect(again.reports.isEmpty)
            try await again.close()
        }
        #expect(reported > (isOneForAll ? 0 : 6), "\(reported)")
    }

    @Test func aSnapshotThatIsHeldForLongIsReportedOnce() async throws {
        let clock = SimulatedClock()
        var environment = Environment.inMemory()
        environment.clock = clock
        var options = Self.options()
        let heard = Mutex<[StoreReport]>([])
        let isHeard = WakeSignal()
        options.onReport = { report in
            heard.withLock { $0.append(report) }
            isHeard.advance()
        }
        let store = try await open(environment, options)
        try await store.write { tx in for number in 0..<100 { _ = try tx.insert(Post(title: "\(number)", views: 1)) } }
        try await store.compact()
        var snapshot: Snapshot? = try store.snapshot()
        for round in 2..<4 {
            try await store.write { tx in for post in try tx.fetch(Post.all) { try tx.update(post.id) { $0.views = round } } }
            try await store.compact()
            #expect(store.reports.isEmpty)
        }
        clock.advance(milliseconds: 61_000)
        for round in 4..<6 {
            try await store.write { tx in for post in try tx.fetch(Post.all) { try tx.update(post.id) { $0.views = round } } }
            try await store.compact()
        }
        #expect(store.reports.count == 1)
        guard case .snapshotHeld(let duration, let bytes)? = store.reports.first else {
            Issue.record("\(store.reports)")
            return
        }
        #expect(duration >= .seconds(61) && bytes > 0)
        _ = try await blocking { isHeard.wait(past: 0) }
        #expect(heard.withLock { $0 } == store.reports)
        #expect(try snapshot?.count(Post.where { $0.views == 1 }) == 100)
        snapshot = nil
        #expect(try runs(environment).count == 1)
        try await store.close()
    }

    @Test func aCacheThatIsTooSmallIsRefused() async throws {
        var options = Self.options()
        options.cacheBytes = (1 << 20) - 1
        let error = await #expect(throws: StoreError.self) { try await open(.inMemory(), options) }
        #expect(error?.code == .invalidOption)
    }

    /// What was materialised and the log no longer has does not count: the log was put back from an older copy.
    @Test func aLogThatWasPutBackHoldsAgainstItsRuns() async throws {
        let disk = SimulatedFileSystem()
        let environment = Environment.simulated(seed: 1, fileSystem: disk)
        let store = try await open(environment)
        try await store.write { tx in for number in 0..<100 { _ = try tx.insert(Post(title: "\(number)")) } }
        try await store.close()
        let older = disk.clone(sameIdentity: true)
        let goesOn = try await open(environment)
        try await goesOn.write { tx in for number in 100..<200 { _ = try tx.insert(Post(title: "\(number)")) } }
        try await goesOn.close()
        for name in try disk.list("/store/runs") where name != "LOCK" {
            let bytes = try disk.readWhole("/store/runs/" + name, limit: 1 << 24)
            try older.replace("/store/runs/" + name, with: bytes)
        }
        let back = try await open(.simulated(seed: 2, fileSystem: older))
        #expect(try back.count(Post.all) == 100)
        #expect(try await back.verifyState().isSound)
        try await back.close()
    }

    /// Each of two writes, reads and makes runs; both have the same.
    @Test func twoThatShareAStoreShareItsRuns() async throws {
        let environment = Environment.inMemory()
        let first = try await open(environment)
        let second = try await open(environment)
        var script = PostScript(seed: 3)
        for round in 0..<40 {
            try await script.step(round.isMultiple(of: 2) ? first : second)
            if round % 5 == 0 {
                try await script.check(first)
                try await script.check(second)
            }
        }
        #expect(try first.digest() == second.digest())
        #expect(try await first.verifyState().isSound)
        try await first.close()
        try await script.check(second)
        try await second.close()
    }
}

/// Random writes of posts and attachments, and what should be there after them.
struct PostScript {
    private var random: SplitMix64
    private var posts: [EntityID<Post>: (title: String, views: Int)] = [:]
    private var number = 0

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// Writes some objects in one transaction.
    mutating func step(_ store: Store) async throws {
        let count = Int.random(in: 1...8, using: &random)
        for _ in 0..<count {
            let ids = posts.keys.sorted { $0.object < $1.object }
            let chosen = ids.randomElement(using: &random)
            number += 1
            let title = String(repeating: "title \(number) ", count: Int.random(in: 1...6, using: &random))
            let views = number
            switch (Int.random(in: 0..<6, using: &random), chosen) {
            case (0, let id?):
                _ = try await store.write { tx in try tx.delete(id) }
                posts[id] = nil
            case (1...3, let id?):
                _ = try await store.write { tx in try tx.update(id) { $0.views = views } }
                posts[id]?.views = views
            default:
                let id = try await store.write { tx in
                    let post = try tx.insert(Post(title: title, views: views))
                    _ = try tx.insert(Attachment(name: "of \(title)", post: post.id))
                    return post.id
                }.value
                posts[id] = (title, views)
            }
        }
    }

    func checkObjects(_ store: Store) throws {
        for (id, expected) in posts {
            let found = try store.get(id)
            #expect(found?.title == expected.title && found?.views == expected.views)
        }
    }

    func checkRelated(_ store: Store) throws {
        for id in posts.keys {
            let attachments = try store.related(to: id.object, by: "attachments")
            #expect(attachments.count == 1)
        }
    }

    /// Looks at each object inside a transaction that changes nothing, or that fails for it could not be read and is tried again.
    func checkWithin(_ store: Store) async throws {
        let ids = Array(posts.keys)
        func views() async throws -> [Int?] {
            try await store.write { tx in try ids.map { try tx.get($0)?.views } }.value
        }
        let found: [Int?]
        do { found = try await views() } catch { found = try await views() }
        #expect(found == ids.map { posts[$0]?.views })
    }

    func check(_ store: Store) async throws {
        let found = try store.fetch(Post.all)
        #expect(found.count == posts.count)
        for post in found {
            let expected = posts[post.id]
            #expect(post.title == expected?.title && post.views == expected?.views ?? -1)
            #expect(post.attachments.count == 1)
        }
        for (id, expected) in posts { #expect(try store.get(id)?.views == expected.views) }
        #expect(try store.count(Attachment.all) == posts.count)
    }
}
