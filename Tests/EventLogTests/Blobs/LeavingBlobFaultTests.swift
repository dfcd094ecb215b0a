import EventLog
import Simulation
import Storage
import Testing

/// The disk fails or loses power while blobs are promised, evicted and collected, or arrive.
@Suite struct LeavingBlobFaultTests {
    private static let peer = ReplicaID(Digest128(high: 7, low: 7))
    private static let contents = [70_000, 80_000, 90_000].map { BlobFixture.content($0) }

    private func prepared() throws -> (disk: SimulatedFileSystem, blobs: [BlobReference]) {
        let disk = try BlobFixture.disk()
        let store = BlobFixture.store(disk)
        return (disk, try Self.contents.map { try store.write($0) })
    }

    /// What happened so far, as those who wait for it heard it.
    private struct Heard {
        var promised: [BlobID] = []
        var evicted: [BlobID] = []
    }

    private func work(_ disk: SimulatedFileSystem, _ blobs: [BlobReference], _ heard: inout Heard) throws {
        heard = Heard()
        let store = BlobFixture.store(disk)
        heard.promised = try store.keep([blobs[0], blobs[1]], for: Self.peer)
        try store.evict(blobs[2].id, isPromised: true)
        heard.evicted.append(blobs[2].id)
    }

    private func check(_ disk: SimulatedFileSystem, _ blobs: [BlobReference], _ heard: Heard) throws {
        let clock = SimulatedClock(now: 2 * 86_400_000)
        let store = BlobFixture.store(disk, clock: clock)
        #expect(try store.verify().isClean)
        for id in heard.evicted { #expect(try !store.contains(id) && !store.isLacking(id)) }
        // Whatever is asked for later: what was promised is there, and what was not is whole, or gone.
        _ = try store.collect(keeping: { $0 == blobs[2].id })
        for id in heard.promised { #expect(try store.contains(id)) }
        if try store.contains(blobs[2].id) { #expect(try BlobFixture.read(store, blobs[2].id) == Self.contents[2]) }
        // A lock that a killed process left stops nobody.
        for blob in blobs where try store.contains(blob.id) {
            let leaving = try #require(try store.beginLeaving(blob.id))
            leaving.stay()
        }
    }

    @Test func powerCutAtEveryChange() throws {
        let (disk, blobs) = try prepared()
        var heard = Heard()
        let verified = try forEachPowerCut(from: disk) {
            try work($0, blobs, &heard)
        } verify: { disk, _ in
            try check(disk, blobs, heard)
        }
        #expect(verified > 10)
    }

    @Test func everyCallFailsOnce() throws {
        let (disk, blobs) = try prepared()
        var heard = Heard()
        let tried = try forEachFailure(from: disk) {
            try work($0, blobs, &heard)
        } verify: { disk, _ in
            try check(disk, blobs, heard)
            try check(disk.crash(keeping: .none), blobs, heard)
            try check(disk.crash(keeping: .all), blobs, heard)
        }
        #expect(tried > 20)
    }

    /// What is named stays, and what is not goes or stays; nothing else happens.
    @Test func collectingLosesNothing() throws {
        let (disk, blobs) = try prepared()
        let clock = SimulatedClock(now: 2 * 86_400_000)
        func collect(_ disk: SimulatedFileSystem) throws {
            _ = try BlobFixture.store(disk, clock: clock).collect(keeping: { $0 == blobs[0].id })
        }
        func check(_ disk: SimulatedFileSystem) throws {
            let store = BlobFixture.store(disk, clock: clock)
            #expect(try store.verify().isClean)
            #expect(try BlobFixture.read(store, blobs[0].id) == Self.contents[0])
            // Somebody stores it again.
            #expect(try store.write(Self.contents[1]) == blobs[1])
            #expect(try BlobFixture.read(store, blobs[1].id) == Self.contents[1])
            try collect(disk)
            #expect(try store.contains(blobs[0].id) && !store.contains(blobs[2].id))
        }
        #expect(
            try forEachPowerCut(from: disk) {
                try collect($0)
            } verify: { disk, _ in
                try check(disk)
            } > 3)
        #expect(
            try forEachFailure(from: disk) {
                try collect($0)
            } verify: { disk, _ in
                try check(disk)
            } > 10)
    }

    /// Every chunk that the note says is here is that chunk; what came goes on where it was.
    @Test func arrivingChunksAreWhatTheNoteSays() throws {
        let content = BlobFixture.content(1_060_000)
        var hashes: [UInt8] = []
        let chunks = stride(from: 0, to: content.count, by: BlobFormat.chunkSize).map { start in
            Array(content[start..<min(start + BlobFormat.chunkSize, content.count)])
        }
        for chunk in chunks { hashes += SHA256.hash(chunk.span) }
        let reference = BlobReference(id: BlobHasher.hash(content.span), length: UInt64(content.count))
        func arrive(_ disk: SimulatedFileSystem, _ order: [Int]) throws {
            let blob = try #require(try BlobFixture.store(disk).arriving(reference))
            defer { blob.close() }
            try blob.add(hashes: hashes[...], from: 0)
            for index in order where blob.missing(from: index).first == index {
                if try blob.add(chunk: chunks[index][...], at: index) { return try blob.finish() }
                // As a session does when it ends.
                if index % 2 == 0 { try blob.settle() }
            }
        }
        func check(_ disk: SimulatedFileSystem) throws {
            let store = BlobFixture.store(disk)
            if try !store.contains(reference.id) {
                for index in chunks.indices {
                    let start = UInt64(index * BlobFormat.chunkSize)
                    let found = try store.readArrived(start..<start + UInt64(chunks[index].count), of: reference)
                    #expect(found == nil || found == chunks[index])
                }
                let arrived = store.arrived(reference)
                #expect(arrived < reference.length || arrived == reference.length)
                try arrive(disk, [0, 1, 2])
            }
            #expect(try store.contains(reference.id) && store.verify().isClean)
        }
        let verified = try forEachPowerCut(from: try BlobFixture.disk(), seeds: 1, limit: 8) {
            try arrive($0, [2, 0, 1])
        } verify: { disk, _ in
            try check(disk)
        }
        #expect(verified > 20)
        let tried = try forEachFailure(from: try BlobFixture.disk()) {
            try arrive($0, [2, 0, 1])
        } verify: { disk, _ in
            try check(disk.crash(keeping: .none))
        }
        #expect(tried > 20)
    }

    /// A peer may say anything.
    @Test func whatIsNotTheChunkIsNotTaken() throws {
        let content = BlobFixture.content(1_200_000)
        let reference = BlobReference(id: BlobHasher.hash(content.span), length: UInt64(content.count))
        let store = BlobFixture.store(try BlobFixture.disk())
        for length in [0, BlobFormat.maximumFetched + 1, UInt64.max] {
            let error = #expect(throws: LogError.self) {
                try store.arriving(BlobReference(id: reference.id, length: length))
            }
            #expect(error?.code == .tooLarge)
        }
        let blob = try #require(try store.arriving(reference))
        // Chunks count for nothing before their hashes are proved.
        #expect(throws: LogError.self) { try blob.add(chunk: content[0..<BlobFormat.chunkSize], at: 0) }
        #expect(throws: LogError.self) { try blob.add(hashes: [UInt8](repeating: 1, count: 96)[...], from: 0) }
        // More than there can be is not kept.
        try blob.add(hashes: [UInt8](repeating: 1, count: 128)[...], from: 0)
        #expect(!blob.hasHashes)
        var hashes: [UInt8] = []
        for start in stride(from: 0, to: content.count, by: BlobFormat.chunkSize) {
            hashes += SHA256.hash(content[start..<min(start + BlobFormat.chunkSize, content.count)].span)
        }
        try blob.add(hashes: hashes[..<32], from: 0)
        try blob.add(hashes: hashes[32...], from: 1)
        #expect(blob.hasHashes)
        var wrong = Array(content[0..<BlobFormat.chunkSize])
        wrong[5] ^= 1
        for (bytes, index) in [(wrong, 0), (Array(content[0..<BlobFormat.chunkSize]), 1), (wrong, 3), (wrong, .max)] {
            #expect(throws: LogError.self) { try blob.add(chunk: bytes[...], at: index) }
        }
        #expect(blob.byteCount == 0)
        #expect(try !blob.add(chunk: content[0..<BlobFormat.chunkSize], at: 0))
        #expect(try blob.read(10..<20) == Array(content[10..<20]))
        #expect(try blob.read(524_000..<524_289) == nil)
        blob.close()
        #expect(try store.arriving(reference)?.byteCount == 0, "it was not settled")
    }
}
