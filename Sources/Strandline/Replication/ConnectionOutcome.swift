import SyncProtocol

/// How a connection to a peer ended.
struct ConnectionOutcome: Sendable {
    let peer: String
    let progress: SessionProgress
    let error: StoreError?
}
