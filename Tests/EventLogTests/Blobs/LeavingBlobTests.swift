import EventLog
import Simulation
import Storage
import Testing

/// Blobs that are removed because others keep them.
@Suite struct LeavingBlobTests {
    private let peer = ReplicaID(Digest128(high: 7, low: 7))
    private let other = ReplicaID(Digest128(high: 8, low: 8))

    /// Every order of the steps of two replicas that both evict, give up, fetch and evict again.
    @Test func twoNeverRemoveBothCopies() throws {
        let left = try EvictingReplica.runAll([
            [.begin, .ask(1), .decide, .fetch, .begin, .ask(1), .decide], [.begin, .ask(0), .stay, .begin, .ask(0), .decide],
        ])
        #expect(left.values.reduce(0, +) == 1_716)
        // Both happens: one goes, or, when each asked the other, none.
        #expect(left[1] ?? 0 > 100 && left[2] ?? 0 > 100, "\(left)")
    }

    @Test func whatIsAboutToLeaveIsPromisedToNobody() throws {
        let store = BlobFixture.store(try BlobFixture.disk())
        let blob = try store.write(BlobFixture.content(70_000))
        let leaving = try #require(try store.beginLeaving(blob.id))
        #expect(try store.keep([blob], for: peer) == [])
        #expect(try store.beginLeaving(blob.id) == nil)
        leaving.stay()
        #expect(try store.keep([blob], for: peer) == [blob.id])
        // A promise is no chain: it may be evicted here, too, where somebody else keeps it.
        #expect(try store.evict(blob.id, isPromised: true) == 70_000)
        #expect(try store.keep([blob], for: peer) == [])
        #expect(try !store.isLacking(blob.id))
        #expect(try store.fileSystem.list("/store/tmp") == ["copies.lock"])
    }

    @Test func onlyWhatIsHereWholeIsPromised() throws {
        let store = BlobFixture.store(try BlobFixture.disk())
        let blob = try store.write(BlobFixture.content(70_000))
        let wrong = BlobReference(id: blob.id, length: 70_001)
        let none = BlobReference(id: BlobID(high: .zero, low: .zero), length: 5)
        #expect(try store.keep([wrong, none], for: peer) == [])
        #expect(try store.copies().peers == [])
        #expect(try store.keep([blob, none, blob], for: peer) == [blob.id])
    }

    /// What was promised outlives what the store itself needs, until nobody has heard of the peer for thirty days.
    @Test func whatWasPromisedIsNotCollected() throws {
        let disk = try BlobFixture.disk()
        let clock = SimulatedClock(now: 1_000)
        let store = BlobFixture.store(disk, clock: clock)
        let promised = try store.write(BlobFixture.content(70_000))
        let loose = try store.write(BlobFixture.content(80_000))
        #expect(try store.keep([promised], for: peer) == [promised.id])
        clock.advance(milliseconds: 2 * 86_400_000)
        // By another process as well.
        let again = BlobFixture.store(disk, clock: clock)
        #expect(try again.collect(keeping: { _ in false }) == BlobCollection(kept: 1, removed: 1, removedBytes: 80_000))
        #expect(try store.contains(promised.id) && !store.contains(loose.id))
        clock.advance(milliseconds: 29 * 86_400_000)
        #expect(try again.collect(keeping: { _ in false }).removed == 1)
    }

    /// A promise between the look at a blob and its removal is seen.
    @Test func aPromiseWhileOneCollectsIsSeen() throws {
        let clock = SimulatedClock(now: 1_000)
        let store = BlobFixture.store(try BlobFixture.disk(), clock: clock)
        let blob = try store.write(BlobFixture.content(70_000))
        clock.advance(milliseconds: 2 * 86_400_000)
        var kept: [BlobID] = []
        _ = try store.collect(keeping: { _ in
            kept = try store.keep([blob], for: peer)
            return false
        })
        #expect(kept == [blob.id])
        #expect(try store.contains(blob.id))
    }

    @Test func whatPeersSaidIsRememberedAndLapses() throws {
        let disk = try BlobFixture.disk()
        let clock = SimulatedClock(now: 1_000)
        let store = BlobFixture.store(disk, clock: clock)
        let blobs = try [70_000, 80_000].map { try store.write(BlobFixture.content($0)) }
        try store.changeCopies { copies, now in
            copies.note(peer, now: now) { $0.here.insert(blobs.map(\.id)) }
            copies.note(other, now: now) { $0.here.insert([blobs[1].id]) }
            copies.setPolicy(.onDemand, of: "unix:/run/hub")
        }
        let again = BlobFixture.store(disk, clock: clock)
        #expect(try again.copies().holders(of: blobs[1].id, now: again.now) == [peer, other])
        #expect(try again.copies().policy(of: "unix:/run/hub") == .onDemand)
        // Who asks to have a blob kept is about to have it no longer.
        #expect(try again.keep([blobs[1]], for: peer) == [blobs[1].id])
        #expect(try store.copies().holders(of: blobs[1].id, now: again.now) == [other])
        clock.advance(milliseconds: 31 * 86_400_000)
        #expect(try store.copies().holders(of: blobs[0].id, now: store.now) == [])
        try store.changeCopies { copies, now in copies.note(other, now: now) { $0.here.insert([blobs[0].id]) } }
        #expect(try store.copies().peers.map(\.replica) == [other])
        #expect(try store.copies().holders(of: blobs[1].id, now: store.now) == [], "what it said before it lapsed is forgotten")
    }

    @Test func damageIsNamed() throws {
        let disk = try BlobFixture.disk()
        let store = BlobFixture.store(disk)
        let blob = try store.write(BlobFixture.content(70_000))
        _ = try store.keep([blob], for: peer)
        let whole = try disk.readWhole("/store/COPIES", limit: 1 << 20)
        for length in 0..<whole.count {
            try disk.replace("/store/COPIES", with: Array(whole.prefix(length)))
            #expect { try BlobFixture.store(disk).copies() } throws: { ($0 as? LogError)?.code == .corrupt }
        }
        for place in whole.indices {
            var bytes = whole
            bytes[place] ^= 1
            try disk.replace("/store/COPIES", with: bytes)
            #expect(throws: LogError.self) { try BlobFixture.store(disk).copies() }
        }
        // Nothing is removed while it is not known what was promised.
        #expect(throws: LogError.self) { try BlobFixture.store(disk).collect(keeping: { _ in false }) }
    }
}
