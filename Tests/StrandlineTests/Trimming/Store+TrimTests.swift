import EventLog
import Projection
import SampleModel
import Simulation
import Storage
import Strandline
import Testing

@Suite struct StoreTrimTests {
    private let environment = Environment.inMemory()

    private func open(_ path: String = "/store") async throws -> Store {
        try await Store.open(
            .environment(path, environment), Post.self, Attachment.self, ImageData.self, options: LiveStateRunsTests.options())
    }

    @Test func historyGoesAndTheStateStays() async throws {
        var store = try await open()
        var ids: [EntityID<Post>] = []
        var tokens: [HistoryToken] = []
        for round in 0..<10 {
            let receipt = try await store.write { tx in
                let post = try tx.insert(Post(title: "\(round)", views: round))
                try tx.insert(Attachment(name: "\(round)", post: post.id))
                return post.id
            }
            ids.append(receipt.value)
            tokens.append(receipt.token)
        }
        let (first, gone) = (ids[0], ids[3])
        try await store.write { tx in try tx.delete(gone) }
        let (digest, content) = (try store.digest(), try store.contentDigest())
        let report = try await store.trim(before: store.token)
        #expect(report.transactions == 12 && report.blockers.isEmpty)
        #expect(report.floor?.vector == store.token.vector)
        #expect(try store.floor == report.floor)
        #expect(try store.digest() == digest)
        #expect(try await store.verifyState().isSound)
        #expect(try await store.verify().isSound)
        let expired = await #expect(throws: StoreError.self) { try await store.snapshot(at: tokens[5]) }
        #expect(expired?.code == .historyExpired)
        let unread = await #expect(throws: StoreError.self) { for try await _ in store.history(after: tokens[5]) {} }
        #expect(unread?.code == .historyExpired)
        let undone = await #expect(throws: StoreError.self) { try await store.undo(store.replica, 3) }
        #expect(undone?.code == .historyExpired)
        var kept = 0
        for try await _ in store.history() { kept += 1 }
        #expect(kept == 0)
        let floor = store.token
        try await store.write { tx in try tx.update(first) { $0.views = 100 } }
        for try await transaction in store.history(after: floor) {
            kept += 1
            guard case .update(_, _, _, let assignments)? = transaction.changes.first else { continue }
            #expect(assignments.first?.old == .int(0))
        }
        #expect(kept == 1)
        #expect(try await store.snapshot(at: floor).count(Post.all) == 9)
        try await store.close()
        // Also from the log alone.
        try environment.fileSystem.removeTree("/store/runs")
        store = try await open()
        #expect(try store.get(gone) == nil)
        #expect(try store.count(Post.all) == 9)
        #expect(try store.get(first)?.views == 100)
        try await store.write { tx in try tx.update(first) { $0.views = 0 } }
        #expect(try store.contentDigest() == content)
        #expect(try await store.verifyState().isSound)
        try await store.close()
    }

    /// A replica that was away since before a trim gets the state that stands for what went, and loses nothing of its own.
    @Test func whoWasAwayComesBackWithUnsentEdits() async throws {
        let store = try await open()
        let ids = try await store.write { tx in
            try (0..<5).map { try tx.insert(Post(title: "\($0)", views: $0)).id }
        }.value
        var options = LiveStateRunsTests.options()
        options.dataset = store.dataset
        var away = try await Store.open(
            .environment("/away", environment), Post.self, Attachment.self, ImageData.self, options: options)
        try await store.sync(with: .store(path: "/away"))
        try await away.write { tx in
            try tx.update(ids[0]) { $0.views = 1_000 }
            try tx.update(ids[1]) { $0.title = "edited while it was deleted" }
            try tx.insert(Post(title: "unsent"))
        }
        for round in 0..<20 { try await store.write { tx in try tx.update(ids[2]) { $0.views = round } } }
        let image = [UInt8](repeating: 3, count: 100_000)
        try await store.write { tx in
            try tx.delete(ids[1])
            let post = try tx.insert(Post(title: "new"))
            let attachment = try tx.insert(Attachment(name: "picture", post: post.id))
            try tx.insert(ImageData(data: Blob(image), attachment: attachment.id))
        }
        let report = try await store.trim(before: store.token, force: true)
        #expect(report.transactions > 20)
        let met = try await away.sync(with: .store(path: "/store"))
        #expect(met.exported.transactions == 1 && met.imported.transactions == 0)
        #expect(try away.digest() == store.digest())
        for each in [away, store] {
            #expect(try each.get(ids[1]) == nil, "what was deleted stays deleted")
            #expect(try each.get(ids[0])?.views == 1_000 && each.get(ids[2])?.views == 19)
            #expect(try each.count(Post.all) == 6)
            #expect(try await each.verifyState().isSound)
        }
        try await away.close()
        away = try await open("/away")
        #expect(try away.digest() == store.digest())
        #expect(try await away.verify().isSound)
        for each in [away, store] { try await each.close() }
    }

    @Test func whoHasNotAcknowledgedIsNamedAndNotPassed() async throws {
        let clock = SimulatedClock()
        let simulated = Environment.simulated(seed: 1, clock: clock)
        let store = try await Store.open(.environment("/store", simulated), Post.self, Attachment.self, ImageData.self)
        for title in ["a", "b"] { try await store.write { tx in _ = try tx.insert(Post(title: title)) } }
        let consumer = store.consumer(named: "audit")
        #expect(try consumer.position == nil)
        try await consumer.acknowledge(store.token)
        try await store.write { tx in _ = try tx.insert(Post(title: "c")) }
        let read = try await consumer.transactions().reduce(into: 0) { count, _ in count += 1 }
        #expect(read == 1)
        var report = try await store.trim(before: store.token)
        #expect(report.transactions == 0 && report.floor == nil)
        #expect(report.blockers.map(\.record.name) == ["audit"] && report.blockers.first?.lag == 1)
        try await consumer.acknowledge(store.token)
        report = try await store.trim(before: store.token)
        #expect(report.transactions == 4 && report.blockers.isEmpty)
        // A consumer that says nothing for thirty days holds up nothing.
        try await store.write { tx in _ = try tx.insert(Post(title: "d")) }
        #expect(try await store.trim(before: store.token).blockers.count == 1)
        clock.set(now: clock.now() + PeerRecord.patienceMilliseconds + 1)
        report = try await store.trim(before: store.token)
        #expect(report.transactions == 1 && report.blockers.isEmpty)
        let late = await #expect(throws: StoreError.self) { for try await _ in try consumer.transactions() {} }
        #expect(late?.code == .historyExpired)
        // Or it is forgotten, or passed by force.
        try await consumer.acknowledge(store.token)
        try await store.write { tx in _ = try tx.insert(Post(title: "e")) }
        #expect(try await store.trim(before: store.token, force: true).transactions == 1)
        try await store.write { tx in _ = try tx.insert(Post(title: "f")) }
        #expect(try await store.forget("audit"))
        #expect(try await store.trim(before: store.token).transactions == 1)
        try await store.close()
    }

    /// A snapshot, the past, observers and another process go on.
    @Test func whoReadsMeanwhileGoesOn() async throws {
        let store = try await open()
        let tokens = try await fill(store, 12)
        let held = try store.snapshot()
        let past = try await store.snapshot(at: tokens[4])
        let other = try await open()
        let second = try await other.snapshot(at: tokens[6])
        try await store.trim(before: tokens[8])
        try await store.trim(before: store.token)
        for (snapshot, count) in [(held, 12), (past, 5), (second, 7)] { #expect(try snapshot.count(Post.all) == count) }
        let expired = await #expect(throws: StoreError.self) { try await other.snapshot(at: tokens[6]) }
        #expect(expired?.code == .historyExpired)
        try await other.write { tx in _ = try tx.insert(Post(title: "other")) }
        #expect(try store.count(Post.all) == 13)
        #expect(try other.digest() == store.digest())
        try await other.trim(before: other.token)
        try await store.write { tx in _ = try tx.insert(Post(title: "own")) }
        #expect(try other.count(Post.all) == 14)
        #expect(try await other.verifyState().isSound)
        for each in [store, other] { try await each.close() }
    }

    private func fill(_ store: Store, _ count: Int) async throws -> [HistoryToken] {
        var tokens: [HistoryToken] = []
        for round in 0..<count {
            tokens.append(try await store.write { tx in _ = try tx.insert(Post(title: "\(round)")) }.token)
        }
        return tokens
    }

    /// Random histories, delivered in any order and trimmed at any time, come to what they mean untrimmed.
    @Test func trimmedStoresMeanWhatUntrimmedOnesDo() async throws {
        var tally = TrimTrial.Tally()
        for seed in 0..<60 { try await TrimTrial(seed: UInt64(seed)).run(&tally) }
        print("trimmed histories: \(tally)")
        #expect(tally.trims > 60 && tally.forked > 10 && tally.partial > 10)
        #expect(tally.differences == [])
    }
}
