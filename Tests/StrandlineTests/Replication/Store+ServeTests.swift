import Foundation
import SampleModel
import Simulation
import Storage
import Strandline
import TLSTransport
import Testing
import Transports

/// Stores that talk through a socket, or through memory.
@Suite struct StoreServeTests {
    /// - Parameter path: where it is on a disk that others see; each is alone in its memory otherwise.
    private func open(_ seed: UInt64, joining dataset: DatasetID? = nil, at path: String? = nil) async throws -> Store {
        var options = Store.Options()
        options.dataset = dataset
        return try await Store.open(
            .environment(path ?? "/store", path == nil ? .simulated(seed: seed) : .system), Post.self, Attachment.self,
            ImageData.self, options: options)
    }

    /// A socket in a directory of its own.
    private func withSocket<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let directory = FileManager.default.temporaryDirectory.appending(path: "s-\(UUID().uuidString.prefix(8))").path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        return try await body(directory + "/socket")
    }

    private func fill(_ store: Store, _ prefix: String, posts: Int, imageSize: Int = 0) async throws {
        try await store.write { tx in
            for number in 0..<posts {
                let post = try tx.insert(Post(title: "\(prefix) \(number)", views: number))
                guard imageSize > 0 else { continue }
                let attachment = try tx.insert(Attachment(name: "a", post: post.id))
                _ = try tx.insert(ImageData(data: Blob(Self.image(number, imageSize)), attachment: attachment.id))
            }
        }
    }

    /// How two stores may meet.
    enum Way: String, CaseIterable, Sendable {
        case folder, unix, tls
    }

    /// What was generated on one side is imported on the other, and both say so; every object and every blob is as it was.
    @Test(arguments: Way.allCases) func exportThenImport(by way: Way) async throws {
        try await withSocket { (socket: String) async throws in
            let paths = way == .folder ? [socket + "-1", socket + "-2"] : [nil, nil]
            let exporting = try await open(1, at: paths[0])
            let importing = try await open(2, joining: exporting.dataset, at: paths[1])
            let (there, here) = try await meet(exporting, by: way, at: socket)
            let (exports, imports) = (exporting.syncEvents(), importing.syncEvents())
            try await fill(exporting, "post", posts: 20, imageSize: 700_000)
            if way == .folder { try await exporting.sync(with: there) }
            let report = try await importing.sync(with: here)
            #expect(report.imported.transactions > 0 && report.imported.blobs == 20)
            #expect(try #require(await ended(.export, in: exports)).succeeded)
            let event = try #require(await ended(.import, in: imports))
            #expect(event.succeeded && event.replica == (way == .folder ? nil : exporting.replica))
            #expect(event.transactions == report.imported.transactions && event.blobs == 20)
            try expectTheSame(importing, exporting, images: 20, size: 700_000)
            let again = try await importing.sync(with: here)
            #expect(again.imported.transactions + again.exported.transactions + again.imported.blobs == 0)
            try await importing.close()
            try await exporting.close()
        }
    }

    /// The first event of a kind to end, of those since before the work began.
    private func ended(_ kind: SyncEvent.Kind, in events: AsyncStream<SyncEvent>) async -> SyncEvent? {
        for await event in events where event.kind == kind && event.ended != nil { return event }
        return nil
    }

    /// Makes a store reachable; how it reaches the other side itself, and how that reaches it.
    private func meet(_ store: Store, by way: Way, at path: String) async throws -> (SyncPeer, SyncPeer) {
        switch way {
        case .folder:
            let folder = path + "-folder"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            return (.folder(path: folder), .folder(path: folder))
        case .unix:
            try await store.serve(on: UnixListener(path: path))
            return (.unix(path: path), .unix(path: path))
        case .tls:
            let devices = try ["server", "client"].map { try DeviceIdentity.open(in: "\(path)-\($0)") }
            let trusting = ["server", "client"].map { TrustList(in: "\(path)-\($0)") }
            try trusting[0].trust(devices[1].id)
            try trusting[1].trust(devices[0].id)
            let server = try await store.serve(
                on: TLSListener(host: "127.0.0.1", port: 0, identity: devices[0], trusting: trusting[0]))
            let address = try TLSAddress(parsing: server.address)
            let transport = TLSTransport(
                host: address.host, port: address.port, identity: devices[1], trusting: trusting[1], expecting: devices[0].id)
            return (.stream(transport), .stream(transport))
        }
    }

    private func expectTheSame(_ one: Store, _ other: Store, images: Int, size: Int) throws {
        #expect(try one.digest() == other.digest())
        let posts = try one.fetch(Post.all.sorted(by: \.views))
        #expect(posts.map(\.title) == (0..<images).map { "post \($0)" })
        for post in posts {
            let attachment = try #require(try one.fetch(Attachment.where { $0.post == post.id }).first)
            let image = try #require(try one.fetch(ImageData.where { $0.attachment == attachment.id }).first)
            let (found, expected) = (try image.data.read(), Self.image(post.views, size))
            #expect(found == expected)
        }
    }

    private static func image(_ number: Int, _ size: Int) -> [UInt8] {
        var random = SplitMix64(seed: UInt64(number))
        return (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    /// What a peer has is known, and nothing is trimmed that it lacks.
    @Test func whatAPeerLacksIsNotTrimmed() async throws {
        try await withSocket { (socket: String) async throws in
            let hub = try await open(1)
            let other = try await open(2, joining: hub.dataset)
            try await hub.serve(on: UnixListener(path: socket))
            try await fill(hub, "seen", posts: 3)
            try await other.sync(with: .unix(path: socket))
            try await waitUntil { try hub.peers.count == 1 && other.peers.count == 1 }
            let seen = hub.token
            let peer = try #require(try hub.peers.first)
            #expect(peer.kind == .peer(other.replica))
            let isCovered = seen.vector.entries.allSatisfy { entry in
                peer.acknowledged.vector.entries.contains { $0.origin == entry.origin && $0.sequence >= entry.sequence }
            }
            #expect(isCovered)
            for number in 0..<40 { try await fill(hub, "unseen \(number)", posts: 300) }
            let report = try await hub.trim(before: hub.token)
            #expect(report.blockers.contains { $0.record.name == peer.name })
            try await other.sync(with: .unix(path: socket))
            #expect(try other.digest() == hub.digest())
            try await other.close()
            try await hub.close()
        }
    }

    @Test func bothSidesHearOfEveryCommit() async throws {
        try await withSocket { (socket: String) async throws in
            let hub = try await open(1)
            let left = try await open(2, joining: hub.dataset)
            let right = try await open(3, joining: hub.dataset)
            try await fill(left, "before", posts: 3)
            try await hub.serve(on: UnixListener(path: socket))
            let replications = [
                try await left.replicate(with: .unix(path: socket)), try await right.replicate(with: .unix(path: socket)),
            ]
            for round in 0..<5 {
                try await fill(left, "left \(round)", posts: 2)
                try await fill(right, "right \(round)", posts: 2)
                try await fill(hub, "hub \(round)", posts: 2, imageSize: 100_000)
                try await waitUntil { try [left, right, hub].allSatisfy { try $0.count(Post.all) == 3 + 6 * (round + 1) } }
            }
            try await waitUntil { try left.digest() == hub.digest() && right.digest() == hub.digest() }
            try await waitUntil { try right.fetch(ImageData.all).allSatisfy { (try? $0.data.read().count) == 100_000 } }
            for replication in replications { replication.stop() }
            for store in [left, right, hub] { try await store.close() }
        }
    }

    @Test func aLostConnectionIsMadeAgain() async throws {
        try await withSocket { (socket: String) async throws in
            let hub = try await open(1)
            let left = try await open(2, joining: hub.dataset)
            let replication = try await left.replicate(with: .unix(path: socket))
            try await waitUntil {
                if case .waiting(let error) = replication.phase { error.code == .peerUnreachable } else { false }
            }
            try await fill(left, "alone", posts: 2)
            try await hub.serve(on: UnixListener(path: socket))
            try await waitUntil { try hub.count(Post.all) == 2 }
            replication.stop()
            try await left.close()
            try await hub.close()
        }
    }

    @Test func anotherDatasetIsRefusedWithAReason() async throws {
        try await withSocket { (socket: String) async throws in
            let hub = try await open(1)
            let other = try await open(2)
            try await hub.serve(on: UnixListener(path: socket))
            let refusal = await #expect(throws: StoreError.self) { try await other.sync(with: .unix(path: socket)) }
            #expect(refusal?.code == .wrongDataset)
            let missing = await #expect(throws: StoreError.self) { try await other.sync(with: .unix(path: socket + "x")) }
            #expect(missing?.code == .peerUnreachable && missing?.isRetryable == true)
            try await other.close()
            try await hub.close()
        }
    }

    @Test func aStoreThatClosesEndsWhatIsUnderWay() async throws {
        let hub = try await open(1)
        let other = try await open(2, joining: hub.dataset)
        let pair = ChannelPair(capacity: 1 << 16)
        async let served: SyncReport? = try? hub.serve(pair.first)
        async let serving: SyncReport? = try? other.serve(pair.second)
        try await fill(hub, "post", posts: 10)
        try await waitUntil { try other.count(Post.all) == 10 }
        try await hub.close()
        _ = await (served, serving)
        try await other.close()
    }
}
