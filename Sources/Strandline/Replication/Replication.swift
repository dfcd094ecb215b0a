// Invariants
// * One thread connects, waits for the end of the connection, and connects again; it ends with `stop`, or when the store is closed.
// * `state` is guarded by its mutex.

import EventLog
import Storage
import SyncProtocol
import Synchronization
import Transports

/// A store that is kept in sync with a peer, by itself.
public final class Replication: Sendable {
    /// What it is doing.
    public enum Phase: Sendable {
        case connecting
        case connected
        /// The last attempt failed; another will be made.
        case waiting(StoreError)
        /// It will never succeed as things are, or was stopped.
        case stopped(StoreError?)
    }

    private struct State {
        var phase = Phase.connecting
        var connection: (id: Int, loop: PeerLoop)?
        var isStopped = false
    }

    /// Milliseconds between two exchanges with a store's directory.
    private static let pollInterval = 2_000

    public let peer: SyncPeer
    private let engine: Engine
    private let blobs: BlobPolicy
    private let state = Mutex(State())
    /// Advances when there is a reason to exchange with a folder.
    private let changed = WakeSignal()
    private let stopping = WakeSignal()

    /// How often a folder is looked at without having heard of anything, in milliseconds.
    private let folderInterval: Int

    init(
        _ engine: Engine, _ peer: SyncPeer, _ blobs: BlobPolicy, folderInterval: Int = FolderFollower.usualInterval
    ) {
        self.folderInterval = folderInterval
        self.engine = engine
        self.blobs = blobs
        self.peer = peer
    }

    /// What it is doing at the moment.
    public var phase: Phase { state.withLock { $0.phase } }

    /// Ends it; what is under way ends with the next message.
    public func stop() {
        let connection = state.withLock { state -> (id: Int, loop: PeerLoop)? in
            state.isStopped = true
            return state.connection
        }
        if let connection { connection.loop.drop(connection.id) }
        stopping.advance()
        changed.advance()
    }

    func start() throws {
        try StoreError.wrap { try WorkerThreads.run { [self] in run() } }
    }

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    private func run() {
        var backOff = BackOff()
        var follower: FolderFollower?
        if case .folder(let path) = peer { follower = FolderFollower(engine, path, blobs, interval: folderInterval, changed) }
        while !isStopped {
            do {
                if follower != nil { try follow(&follower) } else { try exchange() }
                backOff.succeeded()
            } catch {
                let error = StoreError.of(error)
                if isStopped || error.code == .closed { break }
                guard isRetried(error) else { return end(error) }
                state.withLock { $0.phase = .waiting(error) }
                let milliseconds = backOff.failed(chance: engine.environment.random.next())
                engine.replicator.status.retries(peer.description, after: milliseconds, error)
                engine.records.note(
                    .retryLater, .peer(peer.description), .count(.afterMilliseconds, milliseconds), error: error)
                pause(Int(milliseconds))
            }
        }
        end(nil)
    }

    /// A disk that is full, read-only or not there may be mended; a folder is looked at again until it is.
    private func isRetried(_ error: StoreError) -> Bool {
        guard case .folder = peer else { return error.isRetryable }
        return error.isRetryable || error.code == .storage || error.code == .notFound
    }

    private func end(_ error: StoreError?) {
        state.withLock { state in
            state.isStopped = true
            state.phase = .stopped(error)
        }
        engine.replicator.status.ended(peer.description, error)
        engine.records.note(.replicationEnded, .peer(peer.description), error: error, level: error == nil ? .info : nil)
        guard let error, peer.transport == nil else { return }
        // Whoever waits for events hears that there will be no more.
        let now = engine.environment.clock.now()
        engine.replicator.events.post(
            SyncEvent(failed: .setup, store: engine.layout.root, peer: peer.description, started: now, ended: now, error))
    }

    /// One exchange with a folder, and the wait for a reason for the next one.
    private func follow(_ follower: inout FolderFollower?) throws {
        let ticket = changed.generation
        try follower?.exchange()
        state.withLock { $0.phase = .connected }
        follower?.wait(changed, past: ticket, isStopped: { isStopped })
    }

    /// One connection, from its beginning to its end, or one exchange with another store's directory.
    private func exchange() throws {
        state.withLock { $0.phase = .connecting }
        guard let transport = peer.transport else {
            try engine.checkReadable()
            let count = engine.log.commitCount
            _ = try engine.exchange(with: peer, blobs) { _ in }
            state.withLock { $0.phase = .connected }
            waitForCommit(past: count)
            return
        }
        let channel = try engine.connect(transport)
        let outcome = try engine.converse(
            on: channel, PeerLoop.Purpose(isLive: true, blobs: blobs),
            started: { id, loop in
                let isStopped = state.withLock { state -> Bool in
                    state.connection = (id, loop)
                    state.phase = .connected
                    return state.isStopped
                }
                if isStopped { loop.drop(id) }
            })
        state.withLock { $0.connection = nil }
        if let error = outcome.error { throw error }
        // The peer took its leave: it goes down, or has been told to.
        throw StoreError(.interrupted, "\(outcome.peer) ended the exchange; it is tried again")
    }

    private func waitForCommit(past count: UInt64) {
        for _ in 0..<20 where !isStopped && engine.log.commitCount == count { pause(Self.pollInterval / 20) }
    }

    private func pause(_ milliseconds: Int) {
        let ticket = stopping.generation
        if !isStopped { stopping.wait(past: ticket, milliseconds: milliseconds) }
    }
}
