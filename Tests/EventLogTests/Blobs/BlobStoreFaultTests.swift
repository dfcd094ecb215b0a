import EventLog
import Simulation
import Storage
import Testing

/// The disk fails or loses power at every call.
@Suite struct BlobStoreFaultTests {
    static let contents = [BlobFixture.content(65_537), BlobFixture.content(530_000), BlobFixture.content(65_537)]

    /// What is there under a blob's name is that blob; what was reported durable is there.
    private func check(_ disk: SimulatedFileSystem, holds claims: [BlobReference]) throws {
        let store = BlobFixture.store(disk)
        #expect(try store.verify().isClean)
        for claim in claims {
            let reader = try store.open(claim.id)
            #expect(reader.length == claim.length)
            try reader.verify()
        }
    }

    @Test func powerCutAtEveryChangeOfAWrite() throws {
        var claims: [BlobReference] = []
        let verified = try forEachPowerCut(from: try BlobFixture.disk()) { disk in
            claims = []
            let store = BlobFixture.store(disk)
            for bytes in Self.contents { claims.append(try store.write(bytes)) }
        } verify: { disk, _ in
            try check(disk, holds: claims)
            // Whatever was left, the next process stores the same again, durably.
            let store = BlobStore(
                StoreLayout(root: "/store"), in: .simulated(seed: 2, fileSystem: disk), concurrently: false)
            let reference = try store.write(Self.contents[0])
            try check(disk.crash(keeping: .none), holds: claims + [reference])
        }
        #expect(verified > 50)
    }

    @Test func powerCutAtEveryChangeOfABatch() throws {
        var claims: [BlobReference] = []
        try forEachPowerCut(from: try BlobFixture.disk()) { disk in
            claims = []
            var batch = BlobBatch(BlobFixture.store(disk))
            let references = try Self.contents.map { try batch.write($0) }
            try batch.finish()
            claims = references
        } verify: { disk, _ in
            try check(disk, holds: claims)
        }
    }

    @Test func everyCallFailsOnce() throws {
        var claims: [BlobReference] = []
        let tried = try forEachFailure(from: try BlobFixture.disk()) { disk in
            claims = []
            let store = BlobFixture.store(disk)
            var failures = 0
            for bytes in Self.contents {
                do { claims.append(try store.write(bytes)) } catch {
                    let code = (error as? LogError)?.code
                    #expect(code == .storage || code == .readOnly && failures > 0)
                    failures += 1
                }
            }
            // The process goes on after a failure, and believes nothing that a failed sync has touched.
            do { claims.append(try store.write(Self.contents[1])) } catch { failures += 1 }
            #expect((failures > 0) == (disk.failureCount > 0) || claims.count == 4)
        } verify: { disk, _ in
            try check(disk, holds: claims)
            try check(disk.crash(keeping: .none), holds: claims)
            try check(disk.crash(keeping: .all), holds: claims)
        }
        #expect(tried > 50)
    }

    /// The system reports a failed sync once; the next one of the same directory says yes, though names were lost.
    @Test func aBatchUnderWayFailsWithTheSyncOfAnother() throws {
        let disk = try BlobFixture.disk()
        let store = BlobFixture.store(disk)
        let bytes = BlobFixture.content(70_000)
        // The directory's own name is durable.
        try store.evict(try store.write(bytes).id, isPromised: true)
        var batch = BlobBatch(store)
        _ = try batch.write(bytes)
        disk.inject(Fault(at: 0, of: .syncDirectory, with: .inputOutput, effect: .losesUnsynced))
        let first = try #require(throws: LogError.self) { _ = try store.write(bytes) }
        #expect(first.code == .storage)
        var code: LogError.Code?
        do throws(LogError) { try batch.finish() } catch { code = error.code }
        #expect(code == .outcomeUnknown)
        // What is stored again is durable.
        let reference = try store.write(bytes)
        try check(disk.crash(keeping: .none), holds: [reference])
    }

    @Test(arguments: [false, true]) func aFullDiskLeavesNothing(concurrently: Bool) throws {
        for index in 0..<3 {
            let disk = try BlobFixture.disk()
            let store = BlobStore(
                StoreLayout(root: "/store"), in: .simulated(seed: 1, fileSystem: disk), concurrently: concurrently)
            disk.failOperation(at: index, with: .diskFull, sticky: true, operations: .write)
            let error = try #require(throws: LogError.self) { _ = try store.write(BlobFixture.content(5_000_000)) }
            #expect(error.underlying?.code == .diskFull)
            #expect(try disk.list("/store/tmp").isEmpty)
            #expect(try store.list().isEmpty)
            disk.clearFaults()
            let reference = try store.write(BlobFixture.content(5_000_000))
            try store.open(reference.id).verify()
        }
    }

    @Test func powerCutAndFailureAtEveryCallOfACollection() throws {
        let start = try BlobFixture.disk()
        let references = try Self.contents.map { try BlobFixture.store(start).write($0) }
        let kept = references[1]
        let body = { (disk: SimulatedFileSystem) in
            _ = try BlobFixture.store(disk, clock: SimulatedClock()).collect(keeping: { $0 == kept.id })
        }
        try forEachPowerCut(from: start, body: body) { disk, _ in try check(disk, holds: [kept]) }
        try forEachFailure(from: start, body: body) { disk, _ in try check(disk, holds: [kept]) }
    }
}
