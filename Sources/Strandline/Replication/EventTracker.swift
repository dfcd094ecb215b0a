import EventLog
import Storage
import SyncProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Makes events of what a session has come to.
struct EventTracker {
    /// What the figures of an event count from.
    private struct Start {
        var event: SyncEvent
        var progress: SessionProgress
    }

    private let store: String
    private let peer: String
    private let clock: any WallClock
    private let post: @Sendable (SyncEvent) -> Void
    private var running: [SyncEvent.Kind: Start] = [:]
    private var isGreeted = false

    init(store: String, peer: String, clock: any WallClock, post: @escaping @Sendable (SyncEvent) -> Void) {
        self.store = store
        self.peer = peer
        self.clock = clock
        self.post = post
        begin(.setup, SessionProgress(), nil)
    }

    /// Looks at what the session has come to.
    mutating func note(_ session: Session) {
        guard let replica = session.peer?.replica else { return }
        if !isGreeted {
            isGreeted = true
            finish(.setup, session, nil)
            begin(.import, session.progress, replica)
            begin(.export, session.progress, replica)
        }
        note(.import, isOver: session.hasImported, session)
        note(.export, isOver: session.hasExported, session)
    }

    /// The session is over.
    mutating func end(_ session: Session, _ error: StoreError?) {
        for kind in SyncEvent.Kind.allCases where running[kind] != nil {
            finish(kind, session, error ?? StoreError(.interrupted, "the connection to \(peer) ended before all was exchanged; sync again"))
        }
    }

    private mutating func note(_ kind: SyncEvent.Kind, isOver: Bool, _ session: Session) {
        if isOver, running[kind] != nil { finish(kind, session, nil) }
        if !isOver, running[kind] == nil { begin(kind, session.progress, session.peer?.replica) }
    }

    private var now: Date { Date(timeIntervalSince1970: Double(clock.now()) / 1_000) }

    private mutating func begin(_ kind: SyncEvent.Kind, _ progress: SessionProgress, _ replica: ReplicaID?) {
        let event = SyncEvent(kind: kind, store: store, peer: peer, replica: replica, started: now)
        running[kind] = Start(event: event, progress: progress)
        post(event)
    }

    private mutating func finish(_ kind: SyncEvent.Kind, _ session: Session, _ error: StoreError?) {
        guard let start = running.removeValue(forKey: kind) else { return }
        var event = start.event
        event.replica = session.peer?.replica
        event.ended = now
        event.error = error
        let (before, now) = (start.progress, session.progress)
        switch kind {
        case .setup: break
        case .import:
            event.transactions = now.received.new - before.received.new
            event.bytes = now.bytesReceived - before.bytesReceived
            event.blobs = now.blobsReceived - before.blobsReceived
        case .export:
            event.transactions = now.transactionsSent - before.transactionsSent
            event.bytes = now.bytesSent - before.bytesSent
            event.blobs = now.blobsSent - before.blobsSent
        }
        post(event)
    }
}
