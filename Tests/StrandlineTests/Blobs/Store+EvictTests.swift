import SampleModel
import Simulation
import Storage
import Strandline
import Testing
import Transports

/// Blobs that are removed here because a peer keeps them.
@Suite struct StoreEvictTests {
    @Test func aPeerKeepsWhatIsRemoved() async throws {
        try await BlobWorld.withSocket { (socket: String) async throws in
            let clock = SimulatedClock()
            let hub = try await BlobWorld.open(1, clock: clock)
            let store = try await BlobWorld.open(2, joining: hub.dataset, clock: clock)
            let (id, blob) = try await BlobWorld.insert(1, into: store)
            // Nobody is connected.
            let alone = try await store.evict([blob], patience: .milliseconds(10))
            #expect(alone.evicted.isEmpty && alone.refused.count == 1)
            try await hub.serve(on: UnixListener(path: socket))
            try await store.sync(with: .unix(path: socket))
            try await waitUntil { try store.holders(of: blob) == [hub.replica] }
            let report = try await store.evict([blob], promisedBy: .unix(path: socket))
            #expect(report.evicted == [blob] && report.bytes == 700_000 && report.refused.isEmpty && report.lost.isEmpty)
            #expect(try store.status(of: blob).state == .evicted([hub.replica]))
            #expect { try store.get(id)?.data.read() } throws: { BlobWorld.code($0) == .blobMissing }

            // The hub may not remove the last copy: the one peer that could promise has none.
            let replication = try await store.replicate(with: .unix(path: socket))
            try await waitUntil { if case .connected = replication.phase { true } else { false } }
            try await waitUntil { hub.isMet }
            let refused = try await hub.evict([blob])
            #expect(refused.evicted.isEmpty && refused.refused.count == 1, "\(refused)")
            try await store.fetch(blob: blob)
            #expect(try store.status(of: blob).state == .here)
            replication.stop()
            try await store.close()
            try await hub.close()
        }
    }

    @Test func forceSaysWhatIsLost() async throws {
        let store = try await BlobWorld.open(1)
        let (_, blob) = try await BlobWorld.insert(1, into: store)
        let report = try await store.evict([blob], force: true)
        #expect(report.evicted == [blob] && report.lost == [blob])
        let again = try await store.evict([blob], force: true)
        #expect(again.evicted.isEmpty && again.refused.map(\.reason) == ["it is not here"])
        try await store.close()
    }

    /// Live objects, the history above the floor, with what was overwritten, and snapshots keep blobs; what none of them names goes.
    @Test func compactingRemovesWhatNothingNames() async throws {
        let clock = SimulatedClock()
        let store = try await BlobWorld.open(1, clock: clock)
        let (live, kept) = try await BlobWorld.insert(1, into: store)
        let (deleted, gone) = try await BlobWorld.insert(2, into: store)
        let (updated, overwritten) = try await BlobWorld.insert(3, into: store)
        try await store.trim(before: store.token)
        try await store.write { tx in
            try tx.delete(deleted)
            try tx.update(updated) { $0.data = Blob([1, 2, 3]) }
        }
        clock.advance(milliseconds: 2 * 86_400_000)
        // Above the floor their old values are told.
        #expect(try await store.compact() == BlobCollection(kept: 3))
        let snapshot = try store.snapshot()
        var held: Snapshot? = try store.snapshot()
        #expect(try held?.get(live) != nil)
        held = nil
        try await store.write { tx in try tx.delete(live) }
        _ = try await store.trim(before: store.token)
        #expect(try await store.compact().kept == 1, "a snapshot is held")
        #expect(try store.status(of: kept).state == .here)
        #expect(try store.status(of: gone).state == .lacking && store.status(of: overwritten).state == .lacking)
        #expect(try snapshot.get(live)?.data.read() == BlobWorld.content(1, 700_000))
        try await store.close()
    }
}
