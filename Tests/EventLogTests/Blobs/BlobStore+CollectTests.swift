import Dispatch
import EventLog
import Foundation
import Simulation
import Storage
import Synchronization
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
        let error = try #require(throws: LogError.self) { try store.evict(reference.id, isPromised: false) }
        #expect(error.code == .blobInUse)
        #expect(error.message.contains(reference.id.description))
        #expect(try store.evict(reference.id, isPromised: true) == 70_000)
        #expect(try !store.contains(reference.id))
        try reader.verify()
        #expect(throws: LogError.self) { try store.evict(reference.id, isPromised: true) }
        _ = try store.write(BlobFixture.content(70_000))
        #expect(try store.evict(reference.id, isPromised: false, force: true) == 70_000)
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

    /// Writers in other processes hold no lock of the store, only that of their draft.
    @Test func removesWhatAKilledWriterLeft() throws {
        try disk.replace("/store/tmp/dead.blob", with: [1, 2, 3])
        try disk.replace("/store/tmp/other.stage", with: [1])
        clock.advance(milliseconds: 86_300_000)
        let expected = BlobCollection(abandoned: 1, abandonedBytes: 3)
        let bytes = BlobFixture.content(1_100_000)
        var position = 0
        var looks = 0
        let reference = try store.write { (buffer) throws in
            // Late in the blob the draft is older than a day, and is still being written.
            if position > 600_000, looks == 0 {
                looks += 1
                #expect(try store.collect(keeping: { _ in true }) == BlobCollection())
                clock.advance(milliseconds: 86_400_001)
                #expect(try store.collect(keeping: { _ in true }, dryRun: true) == expected)
                #expect(try disk.list("/store/tmp").count == 3)
                #expect(try store.collect(keeping: { _ in true }) == expected)
                #expect(try disk.list("/store/tmp").count == 2)
            }
            let count = min(100_000, buffer.count, bytes.count - position)
            for index in 0..<count { buffer[index] = bytes[position + index] }
            position += count
            return count
        }
        #expect(looks == 1)
        #expect(try BlobFixture.read(store, reference.id) == bytes)
        #expect(try disk.list("/store/tmp") == ["other.stage"])
    }

    /// Who waits for the lock of a file finds another one of that name afterwards, and waits for that one's.
    @Test func waitsForTheLockOfTheFileThatTheNameStandsFor() throws {
        let environment = Environment.inMemory()
        let layout = try BlobFixture.prepare(environment.fileSystem, root: "/store")
        let store = BlobStore(layout, in: environment)
        let reference = try store.write(BlobFixture.content(70_000))
        let path = "/store/blobs/\(reference.id.description.prefix(2))/\(reference.id)"
        let files = environment.fileSystem
        try files.copy(path, to: "/store/tmp/second")
        let (first, second) = (try files.open(path, .read), try files.open("/store/tmp/second", .read))
        try first.lock()
        try second.lock()
        let isDone = Mutex(false)
        let finished = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            _ = try? store.evict(reference.id, isPromised: true)
            isDone.withLock { $0 = true }
            finished.signal()
        }
        Thread.sleep(forTimeInterval: 0.1)
        try files.rename("/store/tmp/second", to: path)
        try first.unlock()
        Thread.sleep(forTimeInterval: 0.1)
        #expect(!isDone.withLock { $0 })
        #expect(try store.contains(reference.id))
        try second.unlock()
        finished.wait()
        #expect(try !store.contains(reference.id))
    }
}
