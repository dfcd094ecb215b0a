import Dispatch
import EventLog
import Simulation
import Storage
import Synchronization
import Testing

@Suite struct BlobStoreTests {
    struct SourceFailure: Error {}

    @Test(arguments: BlobAdapter.allCases, BlobHasherTests.answers.map(\.0))
    func givesBackWhatWasWritten(adapter: BlobAdapter, length: Int) throws {
        try adapter.run { (store, layout, files) throws in
            let bytes = BlobFixture.content(length)
            let reference = try store.write(from: BlobFixture.source(bytes))
            #expect(reference.id == BlobHasher.hash(bytes.span))
            #expect(reference.length == UInt64(length))
            if length <= 65_536 {
                #expect(reference.inline == bytes)
                #expect(try files.list(layout.blobs).isEmpty)
                #expect(try !store.contains(reference.id))
            } else {
                let name = reference.id.description
                #expect(reference.inline == nil)
                #expect(try files.list("\(layout.blobs)/\(name.prefix(2))") == [name])
                #expect(try BlobFixture.read(store, reference.id) == bytes)
                #expect(try store.list().map(\.length) == [UInt64(length)])
            }
            #expect(try store.write(bytes).id == reference.id)
        }
    }

    @Test(arguments: BlobAdapter.allCases) func anErrorOfTheSourceLeavesNothing(adapter: BlobAdapter) throws {
        try adapter.run { (store, _, _) throws in
            var calls = 0
            #expect(throws: SourceFailure.self) {
                _ = try store.write { buffer in
                    calls += 1
                    if calls > 40 { throw SourceFailure() }
                    return min(buffer.count, 100_000)
                }
            }
            #expect(try store.list().isEmpty)
        }
    }

    /// A collection may be about to remove the old file, and nobody has looked whether it is whole.
    @Test func knownContentReplacesTheOldFile() throws {
        let disk = try BlobFixture.disk()
        let store = BlobFixture.store(disk)
        let bytes = BlobFixture.content(70_000)
        let reference = try store.write(bytes)
        let path = "/store/blobs/\(reference.id.description.prefix(2))/\(reference.id)"
        let first = try disk.attributes(of: path)?.inode
        #expect(try store.write(bytes) == reference)
        #expect(try disk.attributes(of: path)?.inode != first)
        #expect(try store.list().map(\.length) == [70_000])
        for length in [5, 70_000] as [UInt64] {
            try disk.open(path, .readWrite).truncate(to: 5)
            try disk.open(path, .readWrite).truncate(to: length)
            #expect(try store.verify().damaged.map(\.id) == [reference.id])
            _ = try length == 5 ? store.write(bytes) : store.receive(reference, from: BlobFixture.source(bytes))
            #expect(try BlobFixture.read(store, reference.id) == bytes)
        }
        #expect(try disk.list("/store/tmp").isEmpty)
    }

    @Test(arguments: BlobAdapter.allCases) func receivesOnlyWhatWasAnnounced(adapter: BlobAdapter) throws {
        try adapter.run { (store, _, _) throws in
            for length in [10, 1_200_000] {
                let bytes = BlobFixture.content(length)
                let expected = BlobReference(id: BlobHasher.hash(bytes.span), length: UInt64(length))
                var flipped = bytes
                flipped[length / 2] ^= 1
                for wrong in [flipped, Array(bytes.dropLast()), bytes + [0], bytes + bytes, []] {
                    let error = #expect(throws: LogError.self) {
                        _ = try store.receive(expected, from: BlobFixture.source(wrong))
                    }
                    #expect(error?.code == .blobDamaged)
                }
                #expect(try store.list().isEmpty)
                #expect(try store.receive(expected, from: BlobFixture.source(bytes)) == expected)
            }
        }
    }

    @Test func aStreamOfOneStoreFeedsAnother() throws {
        let (from, to) = (BlobFixture.store(try BlobFixture.disk()), BlobFixture.store(try BlobFixture.disk()))
        let bytes = BlobFixture.content(1_100_000)
        let reference = try from.write(bytes)
        var stream = try from.open(reference.id).stream(verified: false)
        _ = try to.receive(reference) { buffer in try stream.read(into: &buffer) }
        #expect(try BlobFixture.read(to, reference.id) == bytes)
    }

    @Test(arguments: BlobAdapter.allCases) func manyThreadsWriteTheSame(adapter: BlobAdapter) throws {
        try adapter.run { (store, _, _) throws in
            let bytes = BlobFixture.content(1_100_000)
            let failures = Mutex<[String]>([])
            DispatchQueue.concurrentPerform(iterations: 12) { index in
                do {
                    _ = try store.write(from: BlobFixture.source(index % 3 == 0 ? Array(bytes.dropLast(index)) : bytes))
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
            #expect(failures.withLock { $0 } == [])
            #expect(try store.list().count == 4)
        }
    }

    @Test func aMissingBlobIsNamed() throws {
        let id = BlobHasher.hash(BlobFixture.content(3).span)
        let error = try #require(throws: LogError.self) { _ = try BlobFixture.store(try BlobFixture.disk()).open(id) }
        #expect(error.code == .blobMissing)
        #expect(error.message.contains(id.description))
    }

    @Test func aBatchIsReadableAtOnceAndDurableAfterItsEnd() throws {
        let disk = try BlobFixture.disk()
        let store = BlobFixture.store(disk)
        var batch = BlobBatch(store)
        let contents = (0..<5).map { BlobFixture.content(70_000 + $0) }
        let references = try contents.map { try batch.write($0) }
        for (reference, bytes) in zip(references, contents) { #expect(try BlobFixture.read(store, reference.id) == bytes) }
        try batch.finish()
        let after = BlobFixture.store(disk.crash(keeping: .none))
        for (reference, bytes) in zip(references, contents) { #expect(try BlobFixture.read(after, reference.id) == bytes) }
    }

    @Test func aLinkOfABlobsNameIsNotFollowed() throws {
        // Only the real file system has links; a store on one is enough.
        try BlobAdapter.posix.run { (store, layout, files) throws in
            let reference = try store.write(BlobFixture.content(70_000))
            let directory = "\(layout.blobs)/\(reference.id.description.prefix(2))"
            try files.rename("\(directory)/\(reference.id)", to: "\(layout.root)/elsewhere")
            try TestLink.make("\(directory)/\(reference.id)", to: "\(layout.root)/elsewhere")
            #expect(try !store.contains(reference.id))
            #expect(throws: LogError.self) { _ = try store.open(reference.id) }
            #expect(try store.verify().unknown == ["\(directory)/\(reference.id)"])
            // Written again, the blob takes its name back.
            _ = try store.write(BlobFixture.content(70_000))
            #expect(try store.contains(reference.id))
        }
    }
}
