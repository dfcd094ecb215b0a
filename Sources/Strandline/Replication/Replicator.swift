// Invariants
// * `loop` is made with the first peer, and stopped when the store closes.

import EventLog
import Storage
import SyncProtocol
import Synchronization
import Transports

/// A store's dealings with its peers.
final class Replicator: Sendable {
    let events: EventHub<SyncEvent>
    let blobEvents = EventHub<BlobStatus>()
    let status: StatusBoard
    private let loop = Mutex<PeerLoop?>(nil)
    let transfers: BlobTransfers
    /// Whether the blobs that the state names were looked for.
    private let hasLooked = Atomic(false)
    /// Whether transactions may have come of whose blobs nobody took note.
    private let isLazy = Atomic(false)

    init(_ blobs: BlobStore, _ clock: any WallClock, onEvent: @escaping @Sendable (SyncEvent) -> Void = { _ in }) {
        let status = StatusBoard(clock)
        self.status = status
        events = EventHub { event in
            status.note(event)
            onEvent(event)
        }
        let hub = blobEvents
        transfers = BlobTransfers(blobs) { transfers, reference in
            guard hub.hasListeners, let status = try? transfers.status(of: reference) else { return }
            hub.post(status)
        }
    }

    /// The loop that talks to the peers of `engine`.
    func loop(of engine: Engine) throws -> PeerLoop {
        try loop.withLock { loop in
            if let loop { return loop }
            let made = try PeerLoop(engine, events, transfers)
            loop = made
            return made
        }
    }

    /// Transactions come from somebody of whom not all blobs are taken.
    func noteLazy() { isLazy.store(true, ordering: .releasing) }

    /// Wants the blobs that the state names and that are not here; looks once, unless some came unnoticed.
    func wantLackingBlobs(of engine: Engine) throws {
        let isKnown = hasLooked.exchange(true, ordering: .acquiringAndReleasing)
        guard !isKnown || isLazy.load(ordering: .acquiring) else { return }
        transfers.want(try engine.read { try $0.lackingBlobs(in: engine.blobs) })
    }

    /// Looks again, once those that were noted are here.
    func wantOverflown(of engine: Engine) throws {
        guard transfers.takeOverflow() else { return }
        transfers.want(try engine.read { try $0.lackingBlobs(in: engine.blobs) })
    }

    /// The loop, if there is one.
    var runningLoop: PeerLoop? { loop.withLock { $0 } }

    /// Ends all connections and tells those who listen.
    func close() {
        loop.withLock { $0 }?.stop()
        events.close()
        blobEvents.close()
        transfers.cancelDemands()
    }
}

extension Engine {
    /// Connects; a failure is an event, as it is once there is a connection.
    func connect(_ transport: any Transport) throws -> any ByteChannel {
        let started = environment.clock.now()
        do {
            return try StoreError.wrap { try transport.connect() }
        } catch {
            replicator.events.post(
                SyncEvent(
                    failed: .setup, store: layout.root, peer: transport.address, started: started,
                    ended: environment.clock.now(), error))
            throw error
        }
    }

    /// Has a session on a channel, and waits for its end.
    func converse(
        on channel: any ByteChannel, _ purpose: PeerLoop.Purpose, started: (Int, PeerLoop) -> Void = { _, _ in }
    ) throws -> ConnectionOutcome {
        if purpose.blobs == .eager { try replicator.wantLackingBlobs(of: self) } else { replicator.noteLazy() }
        let loop = try replicator.loop(of: self)
        let outcome = Mutex<ConnectionOutcome?>(nil)
        let ended = WakeSignal()
        var purpose = purpose
        let onEnd = purpose.onEnd
        purpose.onEnd = { result in
            onEnd(result)
            outcome.withLock { $0 = result }
            ended.advance()
        }
        started(try loop.add(channel, purpose), loop)
        ended.wait(past: 0)
        guard let outcome = outcome.withLock({ $0 }) else { throw StoreError(.closed, "the store was closed; open it again") }
        return outcome
    }
}
