// Invariants
// * `entries` is guarded by its mutex, and has at most `most` entries: of those without a connection the one that was heard of first goes.

import EventLog
import Storage
import Synchronization

/// What is known in this process of each peer, by where it is.
final class StatusBoard: Sendable {
    struct Entry: Sendable {
        var replica: ReplicaID?
        /// Channels that are open.
        var channels = 0
        /// Whether the two have met on one of them.
        var isMet = false
        /// Imports and exports under way.
        var running: Set<SyncEvent.Kind> = []
        /// Times in milliseconds since 1970.
        var lastSuccess: UInt64?
        var lastError: StoreError?
        var nextAttempt: UInt64?
        var isGivenUp = false
        fileprivate var touched: UInt64 = 0

        var phase: PeerStatus.Phase {
            if isGivenUp { return .givenUp }
            if !running.isEmpty { return .syncing }
            if channels > 0, isMet { return .connected }
            return lastError != nil && nextAttempt != nil ? .waiting : .away
        }
    }

    private static let most = 1_024
    private let clock: any WallClock
    private let entries = Mutex<[String: Entry]>([:])

    init(_ clock: any WallClock) { self.clock = clock }

    var all: [String: Entry] { entries.withLock { $0 } }

    /// A channel to it is open.
    func opened(_ peer: String) { change(peer) { entry, _ in entry.channels += 1 } }

    /// A channel to it was closed.
    func closed(_ peer: String) {
        change(peer) { entry, _ in
            entry.channels -= 1
            guard entry.channels <= 0 else { return }
            entry.channels = 0
            entry.isMet = false
            entry.running = []
        }
    }

    func note(_ event: SyncEvent) {
        change(event.peer) { entry, now in
            entry.replica = event.replica ?? entry.replica
            guard event.ended != nil else {
                if event.kind != .setup { entry.running.insert(event.kind) }
                return
            }
            entry.running.remove(event.kind)
            if let error = event.error {
                entry.lastError = error
                return
            }
            if event.kind == .setup { entry.isMet = entry.channels > 0 }
            entry.lastSuccess = now
            entry.lastError = nil
            entry.nextAttempt = nil
            entry.isGivenUp = false
        }
    }

    /// It is tried again after some milliseconds.
    func retries(_ peer: String, after milliseconds: UInt64, _ error: StoreError) {
        change(peer) { entry, now in
            entry.lastError = error
            entry.nextAttempt = now + milliseconds
        }
    }

    /// It is not tried any more: for a reason, or since nobody wants to.
    func ended(_ peer: String, _ error: StoreError?) {
        change(peer) { entry, _ in
            entry.nextAttempt = nil
            entry.isGivenUp = error != nil
            if let error { entry.lastError = error }
        }
    }

    private func change(_ peer: String, _ body: (inout Entry, UInt64) -> Void) {
        let now = clock.now()
        entries.withLock { entries in
            body(&entries[peer, default: Entry()], now)
            entries[peer]?.touched = now
            guard entries.count > Self.most else { return }
            let idle = entries.filter { $0.value.channels == 0 && $0.key != peer }
            if let oldest = idle.min(by: { ($0.value.touched, $0.key) < ($1.value.touched, $1.key) }) {
                entries[oldest.key] = nil
            }
        }
    }
}
