import Foundation
import SampleModel
import Simulation
import Storage
import Strandline
import Testing
import Transports

@Suite struct StoreSyncStatusTests {
    private func open(_ seed: UInt64, _ clock: SimulatedClock, joining dataset: DatasetID? = nil) async throws -> Store {
        var options = Store.Options()
        options.dataset = dataset
        return try await Store.open(
            .environment("/store", .simulated(seed: seed, clock: clock)), Post.self, SampleModel.Attachment.self,
            ImageData.self,
            options: options)
    }

    private func withSocket<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let directory = FileManager.default.temporaryDirectory.appending(path: "s-\(UUID().uuidString.prefix(8))").path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        return try await body(directory + "/socket")
    }

    private func write(_ store: Store, _ count: Int) async throws {
        for number in 0..<count { try await store.write { tx in _ = try tx.insert(Post(title: "\(number)")) } }
    }

    /// Who has everything, who lacks something, since when it is stalled, and that it has caught up.
    @Test func lagAndStall() async throws {
        try await withSocket { (socket: String) async throws in
            let clock = SimulatedClock()
            let hub = try await open(1, clock)
            let other = try await open(2, clock, joining: hub.dataset)
            #expect(try hub.syncStatus().summary == .alone)
            try await hub.serve(on: UnixListener(path: socket))
            try await write(hub, 3)
            try await other.sync(with: .unix(path: socket))
            // What the peer has is noted when it leaves.
            try await waitUntil { try hub.syncStatus().peers.first.map { $0.lag == 0 && $0.phase == .away } ?? false }
            var status = try hub.syncStatus()
            #expect(status.summary == .upToDate && status.peers.count == 1)
            let peer = try #require(status.peers.first)
            #expect(peer.replica == other.replica && peer.phase == .away && peer.lastError == nil && peer.advice == nil)
            #expect(peer.lastSuccess != nil && peer.acknowledged != nil)

            clock.advance(milliseconds: 3_600_000)
            try await write(hub, 5)
            status = try hub.syncStatus()
            // It was last heard of an hour ago, and there was nothing to say until now.
            #expect(status.summary == .behind && status.peers.first?.lag == 5 && status.peers.first?.stalledSince == nil)
            #expect(status.peers.first.map { $0.lagBytes > 0 } ?? false)
            clock.advance(milliseconds: 59_000)
            #expect(try hub.syncStatus().summary == .behind)
            clock.advance(milliseconds: 2_000)
            status = try hub.syncStatus()
            #expect(status.summary == .stalled && status.peers.first?.advice != nil)
            let since = try #require(status.peers.first?.stalledSince)
            #expect(abs(since.timeIntervalSince1970 * 1_000 - Double(clock.now() - 61_000)) < 10)

            try await other.sync(with: .unix(path: socket))
            try await waitUntil { try hub.syncStatus().summary == .upToDate }
            clock.advance(milliseconds: 31 * 86_400_000)
            #expect(try hub.syncStatus().peers.first?.hasLapsed == true)
            try await other.close()
            try await hub.close()
        }
    }

    /// A peer that is not there is tried again; one of another dataset is not.
    @Test func failuresAreTold() async throws {
        try await withSocket { (socket: String) async throws in
            let clock = SimulatedClock()
            let store = try await open(3, clock)
            try await write(store, 1)
            let away = try await store.replicate(with: .unix(path: socket + "-nobody"))
            try await waitUntil { try store.syncStatus().summary == .waiting }
            let waiting = try #require(try store.syncStatus().peers.first)
            #expect(waiting.name == "unix:\(socket)-nobody" && waiting.lastError?.code == .peerUnreachable)
            #expect(waiting.nextAttempt != nil && waiting.advice != nil && waiting.acknowledged == nil)
            away.stop()
            try await waitUntil { try store.syncStatus().peers.first?.phase == .away }

            let stranger = try await open(4, clock)
            try await write(stranger, 1)
            try await stranger.serve(on: UnixListener(path: socket))
            _ = try await store.replicate(with: .unix(path: socket))
            try await waitUntil { try store.syncStatus().summary == .failing }
            let failing = try store.syncStatus().peers.first { $0.phase == .givenUp }
            #expect(failing?.lastError?.code == .wrongDataset && failing?.advice?.contains("dataset") == true)
            try await stranger.close()
            try await store.close()
        }
    }

    /// A peer that stays is connected, and its advance is seen.
    @Test func livePeers() async throws {
        try await withSocket { (socket: String) async throws in
            let clock = SimulatedClock()
            let hub = try await open(5, clock)
            let other = try await open(6, clock, joining: hub.dataset)
            try await hub.serve(on: UnixListener(path: socket))
            try await write(hub, 2)
            let upcoming = other.upcoming(.import)
            let replication = try await other.replicate(with: .unix(path: socket))
            #expect(try await upcoming.value().succeeded)
            try await waitUntil { try other.syncStatus().peers.first?.phase == .connected }
            #expect(try hub.syncStatus().peers.contains { $0.replica == other.replica && $0.phase != .away })
            replication.stop()
            try await waitUntil { try hub.syncStatus().peers.first?.phase == .away }
            try await waitUntil { try hub.syncStatus().summary == .upToDate }
            try await other.close()
            try await hub.close()
        }
    }

    /// What ends before anybody waits for it is not missed.
    @Test func anEventThatCameIsThere() async throws {
        try await withSocket { (socket: String) async throws in
            let clock = SimulatedClock()
            let hub = try await open(7, clock)
            let other = try await open(8, clock, joining: hub.dataset)
            try await hub.serve(on: UnixListener(path: socket))
            try await write(hub, 2)
            let (imported, exported) = (other.upcoming(.import), hub.upcoming(.export))
            try await other.sync(with: .unix(path: socket))
            #expect(try await imported.value().transactions > 1)
            #expect(try await exported.value().succeeded)
            let later = other.upcoming(.import)
            let error = await #expect(throws: StoreError.self) { try await later.value(timeout: .milliseconds(1)) }
            #expect(error?.code == .interrupted)
            let last = other.upcoming(.export)
            try await other.close()
            let closed = await #expect(throws: StoreError.self) { try await last.value() }
            #expect(closed?.code == .closed)
            try await hub.close()
        }
    }
}
