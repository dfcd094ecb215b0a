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
    /// An event that has begun, and what its figures count from.
    fileprivate struct Start {
        var event: SyncEvent
        var progress: SessionProgress
        /// Whether anybody was told: the first exchange is worth telling even when it brings nothing.
        var isTold: Bool
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
            finish(
                kind, session,
                error ?? StoreError(.interrupted, "the connection to \(peer) ended before all was exchanged; sync again"))
        }
    }

    private mutating func note(_ kind: SyncEvent.Kind, isOver: Bool, _ session: Session) {
        if running[kind] == nil, !isOver { begin(kind, session.progress, session.peer?.replica, isTold: false) }
        guard let start = running[kind] else { return }
        if !start.isTold, start.figures(session.progress).isAny {
            running[kind]?.isTold = true
            post(start.event)
        }
        if isOver { finish(kind, session, nil) }
    }

    private var now: Date { Date(timeIntervalSince1970: Double(clock.now()) / 1_000) }

    private mutating func begin(
        _ kind: SyncEvent.Kind, _ progress: SessionProgress, _ replica: ReplicaID?, isTold: Bool = true
    ) {
        let event = SyncEvent(kind: kind, store: store, peer: peer, replica: replica, started: now)
        running[kind] = Start(event: event, progress: progress, isTold: isTold)
        if isTold { post(event) }
    }

    private mutating func finish(_ kind: SyncEvent.Kind, _ session: Session, _ error: StoreError?) {
        guard let start = running.removeValue(forKey: kind), start.isTold else { return }
        var event = start.figures(session.progress).event
        event.replica = session.peer?.replica
        event.ended = now
        event.error = error
        post(event)
    }
}

extension EventTracker.Start {
    /// The event with what was exchanged since it began, and whether that is anything.
    fileprivate func figures(_ now: SessionProgress) -> (event: SyncEvent, isAny: Bool) {
        var event = event
        switch event.kind {
        case .setup: break
        case .import:
            event.transactions = now.received.new - progress.received.new
            event.bytes = now.bytesReceived - progress.bytesReceived
            event.blobs = now.blobsReceived - progress.blobsReceived
        case .export:
            event.transactions = now.transactionsSent - progress.transactionsSent
            event.bytes = now.bytesSent - progress.bytesSent
            event.blobs = now.blobsSent - progress.blobsSent
        }
        return (event, event.transactions + event.blobs > 0)
    }
}
