import SampleModel
import Simulation
import Storage
import Strandline
import Synchronization
import Testing
import Transports

/// Blobs that are brought when somebody asks for them.
@Suite struct StoreFetchBlobTests {
    /// Transactions come at once, blobs when they are asked for, and the policy is remembered.
    @Test func onDemand() async throws {
        try await BlobWorld.withSocket { (socket: String) async throws in
            let hub = try await BlobWorld.open(1)
            let (id, blob) = try await BlobWorld.insert(1, 3_000_000, into: hub)
            try await BlobWorld.insert(2, into: hub)
            try await hub.serve(on: UnixListener(path: socket))
            let store = try await BlobWorld.open(2, joining: hub.dataset)
            let first = try await store.sync(with: .unix(path: socket), blobs: .onDemand)
            #expect(first.imported.transactions > 0 && first.imported.blobs == 0)
            let second = try await store.sync(with: .unix(path: socket))
            #expect(second.imported.blobs == 0, "what was said is remembered")
            #expect(try store.digest() == hub.digest())
            #expect(try store.status(of: blob).state == .lacking)
            #expect { try store.get(id)?.data.read() } throws: { BlobWorld.code($0) == .blobMissing }

            let changes = store.blobChanges()
            let heard = Mutex<[UInt64]>([])
            try await store.fetch(blob: blob, from: .unix(path: socket)) { done, total in
                heard.withLock { $0.append(total == 3_000_000 ? done : 0) }
            }
            let progress = heard.withLock { $0 }
            #expect(!progress.isEmpty && progress == progress.sorted() && progress.allSatisfy { $0 > 0 && $0 < 3_000_000 })
            #expect(try store.get(id)?.data.read() == BlobWorld.content(1, 3_000_000))
            #expect(try store.status(of: blob).state == .here)
            let states = try await store.blobs().map(\.state)
            #expect(states.count { $0 == .here } == 1 && states.count { $0 == .lacking } == 1)
            for await change in changes where change.state == .here {
                #expect(change.blob == blob)
                break
            }
            // The hub heard that it is there now.
            try await waitUntil { try hub.holders(of: blob) == [store.replica] }
            let all = try await store.sync(with: .unix(path: socket), blobs: .eager)
            #expect(all.imported.blobs == 1)
            try await store.close()
            try await hub.close()
        }
    }

    /// Many who ask for one blob share its transfer; a peer that connects later brings what nobody had.
    @Test func whoAsksTogetherSharesTheTransfer() async throws {
        try await BlobWorld.withSocket { (socket: String) async throws in
            let hub = try await BlobWorld.open(1)
            let (_, blob) = try await BlobWorld.insert(1, 3_000_000, into: hub)
            let store = try await BlobWorld.open(2, joining: hub.dataset)
            async let first: Void = store.fetch(blob: blob)
            async let second: Void = store.fetch(blob: blob, priority: 5)
            async let third: Void = store.fetch(blob: blob)
            try await waitUntil { store.wantedBlobs == 1 }
            // None is there yet.
            try await hub.serve(on: UnixListener(path: socket))
            let replication = try await store.replicate(with: .unix(path: socket), blobs: .onDemand)
            _ = try await (first, second, third)
            #expect(try store.status(of: blob).state == .here)
            #expect(store.wantedBlobs == 0)
            replication.stop()
            try await store.close()
            try await hub.close()
        }
    }

    @Test func whyItDoesNotCome() async throws {
        try await BlobWorld.withSocket { (socket: String) async throws in
            let hub = try await BlobWorld.open(1)
            try await hub.serve(on: UnixListener(path: socket))
            let store = try await BlobWorld.open(2, joining: hub.dataset)
            let (_, blob) = try await BlobWorld.insert(1, into: store)
            _ = try await store.evict([blob], force: true)
            await #expect { try await store.fetch(blob: blob, patience: .milliseconds(1)) } throws: {
                BlobWorld.code($0) == .peerUnreachable
            }
            await #expect { try await store.fetch(blob: blob, from: .unix(path: socket)) } throws: {
                BlobWorld.code($0) == .blobMissing
            }
            await #expect { try await store.fetch(blob: blob, from: .unix(path: socket + "x")) } throws: {
                BlobWorld.code($0) == .peerUnreachable
            }
            let long = BlobReference(id: blob.id, length: .max)
            await #expect { try await store.fetch(blob: long) } throws: { BlobWorld.code($0) == .tooLarge }
            let task = Task { try await store.fetch(blob: blob, patience: .seconds(3_600)) }
            try await waitUntil { store.wantedBlobs == 1 }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(store.wantedBlobs == 0)
            // The end of the store is the end of waiting.
            let late = Task { try await store.fetch(blob: blob, patience: .seconds(3_600)) }
            try await waitUntil { store.wantedBlobs == 1 }
            try await store.close()
            await #expect(throws: (any Error).self) { try await late.value }
            try await hub.close()
        }
    }

    @Test func fromAnotherStore() async throws {
        let environment = Environment.simulated(seed: 1)
        let one = try await Store.open(
            .environment("/one", environment), Post.self, Attachment.self, ImageData.self)
        let (id, blob) = try await BlobWorld.insert(1, into: one)
        var options = Store.Options()
        options.dataset = one.dataset
        let two = try await Store.open(
            .environment("/two", environment), Post.self, Attachment.self, ImageData.self, options: options)
        let report = try await two.sync(with: .store(path: "/one"), blobs: BlobPolicy.none)
        #expect(report.imported.transactions > 0 && report.imported.blobs == 0)
        #expect(try two.status(of: blob).state == .lacking)
        try await two.fetch(blob: blob, from: .store(path: "/one"))
        #expect(try two.get(id)?.data.read() == BlobWorld.content(1, 700_000))
        // It is asked whether it keeps the blob, and does.
        let eviction = try await two.evict([blob], promisedBy: .store(path: "/one"))
        #expect(eviction.evicted == [blob] && eviction.bytes == 700_000 && eviction.lost.isEmpty)
        #expect(try two.status(of: blob).state == .evicted([]))
        // A sync does not bring back what was removed on purpose.
        #expect(try await two.sync(with: .store(path: "/one"), blobs: .eager).imported.blobs == 0)
        try await two.close()
        try await one.close()
    }

    /// Of a blob that has not come whole, chunks are read that are here.
    @Test func whatHasArrivedCanBeRead() async throws {
        let environment = Environment.simulated(seed: 1)
        let store = try await Store.open(
            .environment("/store", environment), Post.self, Attachment.self, ImageData.self)
        let (_, blob) = try await BlobWorld.insert(1, 1_200_000, into: store)
        let content = BlobWorld.content(1, 1_200_000)
        #expect(try store.readArrived(blob, at: 1_199_990) == Array(content[1_199_990...]))
        try await store.evict([blob], force: true)
        let files = BlobStore(StoreLayout(root: "/store"), in: environment)
        let arriving = try #require(try files.arriving(blob))
        let size = BlobFormat.chunkSize
        var hashes: [UInt8] = []
        for start in stride(from: 0, to: content.count, by: size) {
            hashes += SHA256.hash(content[start..<min(start + size, content.count)].span)
        }
        try arriving.add(hashes: hashes[...], from: 0)
        _ = try arriving.add(chunk: content[(2 * size)...], at: 2)
        try arriving.settle()
        arriving.close()
        #expect(try store.status(of: blob).state == .partly(bytes: UInt64(content.count - 2 * size)))
        #expect(try store.readArrived(blob, at: UInt64(2 * size), count: 100) == Array(content[(2 * size)..<(2 * size + 100)]))
        #expect { try store.readArrived(blob, at: UInt64(2 * size - 1), count: 100) } throws: {
            BlobWorld.code($0) == .blobMissing
        }
        try await store.close()
    }

    @Test func fromAFolder() async throws {
        let environment = Environment.simulated(seed: 1)
        try environment.fileSystem.createDirectory("/shared")
        let one = try await Store.open(
            .environment("/one", environment), Post.self, Attachment.self, ImageData.self)
        let (_, blob) = try await BlobWorld.insert(1, into: one)
        try await one.sync(with: .folder(path: "/shared"))
        var options = Store.Options()
        options.dataset = one.dataset
        let two = try await Store.open(
            .environment("/two", environment), Post.self, Attachment.self, ImageData.self, options: options)
        let report = try await two.sync(with: .folder(path: "/shared"), blobs: .onDemand)
        #expect(report.imported.transactions > 0 && report.imported.blobs == 0)
        try await two.fetch(blob: blob)
        #expect(try two.status(of: blob).state == .here)
        // Told to take all from now on, it takes what it left as well.
        let (_, second) = try await BlobWorld.insert(2, into: one)
        try await one.sync(with: .folder(path: "/shared"))
        try await two.sync(with: .folder(path: "/shared"))
        #expect(try two.status(of: second).state == .lacking)
        try await two.sync(with: .folder(path: "/shared"), blobs: .eager)
        #expect(try two.status(of: second).state == .here)
        #expect(try await two.evict([blob], promisedBy: .folder(path: "/shared")).evicted == [blob])
        let name = blob.id.description
        let path = "/shared/\(one.dataset)/blobs/\(name.prefix(2))/\(name)"
        let file = try environment.fileSystem.open(path, .readWrite)
        try file.write([1, 2, 3].span, at: 600_000)
        file.close()
        // The copy there is damaged: so the one that is left here stays.
        let refused = try await one.evict([blob], promisedBy: .folder(path: "/shared"))
        #expect(refused.evicted.isEmpty && refused.refused.map(\.blob) == [blob])
        await #expect { try await two.fetch(blob: blob, from: .folder(path: "/shared")) } throws: {
            BlobWorld.code($0) == .blobMissing
        }
        try await two.close()
        try await one.close()
    }
}
