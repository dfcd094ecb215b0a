import EventLog
import SyncProtocol

/// How a connection to a peer ended.
struct ConnectionOutcome: Sendable {
    let peer: String
    let replica: ReplicaID?
    let progress: SessionProgress
    /// Whether each side has everything of the other.
    let hasImported: Bool
    let hasExported: Bool
    let error: StoreError?

    init(peer: String, session: Session, error: StoreError?) {
        self.peer = peer
        replica = session.peer?.replica
        progress = session.progress
        hasImported = session.hasImported
        hasExported = session.hasExported
        self.error = error
    }
}
