import EventLog
import Simulation
import Storage
import Testing

/// What of the history keeps blobs.
@Suite struct EventLogCollectBlobsTests {
    private let clock = SimulatedClock(now: 1_000)

    @Test func historyKeepsWhatItNames() throws {
        let environment = Environment.simulated(seed: 1, clock: clock)
        let log = try EventLog.create(at: "/store", in: environment)
        let store = BlobStore(StoreLayout(root: "/store"), in: environment, concurrently: false)
        let named = try store.write(BlobFixture.content(70_000))
        let loose = try store.write(BlobFixture.content(80_000))
        let live = try store.write(BlobFixture.content(90_000))
        try LogScript.write([named], to: log)
        let state = log.durableState
        // Named after the state was looked at.
        let later = try store.write(BlobFixture.content(100_000))
        try LogScript.write([later], to: log)
        clock.advance(milliseconds: 2 * 86_400_000)
        let found = try log.collectBlobs(in: store, keeping: BlobKeys([live.id]), at: state)
        #expect(found == BlobCollection(kept: 3, removed: 1, removedBytes: 80_000))
        #expect(try !store.contains(loose.id))
        // The lock was given back.
        try LogScript.write([live], to: log)
        try log.close()
    }

    /// What becomes durable after the history was read is read as well, before anything is removed.
    @Test func namedMeanwhile() throws {
        let environment = Environment.simulated(seed: 1, clock: clock)
        let log = try EventLog.create(at: "/store", in: environment)
        let store = BlobStore(StoreLayout(root: "/store"), in: environment, concurrently: false)
        let named = try store.write(BlobFixture.content(70_000))
        _ = try store.write(BlobFixture.content(80_000))
        clock.advance(milliseconds: 2 * 86_400_000)
        let state = log.durableState
        // In the log's memory, and in none of its files.
        try LogScript.write([named], to: log, flushes: false)
        #expect(log.durableState.position.lastLSN == state.position.lastLSN)
        #expect(
            try log.collectBlobs(in: store, keeping: BlobKeys(), at: state)
                == BlobCollection(kept: 1, removed: 1, removedBytes: 80_000))
        try log.close()
    }

    @Test func orphansAreReported() throws {
        let environment = Environment.simulated(seed: 1, clock: clock)
        let log = try EventLog.create(at: "/store", in: environment)
        let store = BlobStore(StoreLayout(root: "/store"), in: environment, concurrently: false)
        let named = try store.write(BlobFixture.content(70_000))
        try LogScript.write([named], to: log)
        #expect(try log.verify().orphans == 0)
        _ = try store.write(BlobFixture.content(80_000))
        let found = try log.verify()
        #expect(found.isSound && found.orphans == 1 && found.orphanBytes == 80_000)
        #expect(found.notes.contains { $0.path == "/store/blobs" })
        try log.close()
    }
}
