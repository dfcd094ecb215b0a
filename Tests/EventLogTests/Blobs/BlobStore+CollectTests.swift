import EventLog
import Simulation
import Storage
import Testing

@Suite struct BlobStoreCollectTests {
    let disk: SimulatedFileSystem
    let clock = SimulatedClock(now: 1_000)
    let store: BlobStore

    init() throws {
        disk = try BlobFixture.disk()
        store = BlobFixture.store(disk, clock: clock)
    }

    @Test func evictsOnlyWhatIsElsewhere() throws {
        let reference = try store.write(BlobFixture.content(70_000))
        let reader = try store.open(reference.id)
        let error = try #require(throws: LogError.self) { try store.evict(reference.id, isAcknowledgedElsewhere: false) }
        #expect(error.code == .blobInUse)
        #expect(error.message.contains(reference.id.description))
        #expect(try store.evict(reference.id, isAcknowledgedElsewhere: true) == 70_000)
        #expect(try !store.contains(reference.id))
        try reader.verify()
        #expect(throws: LogError.self) { try store.evict(reference.id, isAcknowledgedElsewhere: true) }
        _ = try store.write(BlobFixture.content(70_000))
        #expect(try store.evict(reference.id, isAcknowledgedElsewhere: false, force: true) == 70_000)
    }

    @Test func removesWhatIsUnreferencedAndOld() throws {
        let kept = try store.write(BlobFixture.content(70_000))
        let loose = try store.write(BlobFixture.content(80_000))
        try disk.createDirectories("/store/blobs/zz")
        try disk.replace("/store/blobs/zz/\(loose.id)", with: [1])
        try disk.replace("/store/blobs/notes", with: [1])

        let isKept = { (id: BlobID) in id == kept.id }
        #expect(try store.collect(keeping: isKept) == BlobCollection(kept: 1, young: 1))
        clock.advance(milliseconds: 86_390_000)
        #expect(try store.collect(keeping: isKept) == BlobCollection(kept: 1, young: 1))
        clock.advance(milliseconds: 10_000)
        let expected = BlobCollection(kept: 1, removed: 1, removedBytes: 80_000)
        #expect(try store.collect(keeping: isKept, dryRun: true) == expected)
        #expect(try store.contains(loose.id))
        #expect(try store.collect(keeping: isKept) == expected)
        #expect(try !store.contains(loose.id))
        #expect(try BlobFixture.read(store, kept.id) == BlobFixture.content(70_000))
        #expect(try disk.list("/store/blobs").suffix(2) == ["notes", "zz"])
        #expect(try disk.list("/store/blobs/zz") == [loose.id.description])
    }

    @Test func aClockSetBackRemovesNothing() throws {
        _ = try store.write(BlobFixture.content(70_000))
        clock.set(now: 0)
        #expect(try store.collect(keeping: { _ in false }) == BlobCollection(young: 1))
    }
}
