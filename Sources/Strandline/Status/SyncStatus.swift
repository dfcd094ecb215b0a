/// How a store and its peers stand, in one word and peer by peer.
///
/// ```swift
/// let status = try store.syncStatus()
/// badge.text = status.summary.rawValue
/// for peer in status.peers where peer.stalledSince != nil { print(peer.name, peer.lag, peer.advice ?? "") }
/// ```
public struct SyncStatus: Sendable {
    /// All peers together, the worst first.
    public enum Summary: String, Sendable, Hashable, CaseIterable {
        /// A peer can never be reached as things are: see its ``PeerStatus/lastError``.
        case failing
        /// The last attempt failed, and another will be made.
        case waiting
        /// A peer lacks something, and nothing has been heard of it for a while.
        case stalled
        /// Something is on its way.
        case syncing
        /// A peer lacks something, and was heard of lately.
        case behind
        /// Every peer has acknowledged everything.
        case upToDate
        /// There never was a peer.
        case alone
    }

    public let summary: Summary
    /// Those that are talked to or were noted, by name.
    public let peers: [PeerStatus]

    init(_ peers: [PeerStatus]) {
        self.peers = peers
        let present = peers.filter { !$0.hasLapsed }
        summary =
            if present.contains(where: { $0.phase == .givenUp }) {
                .failing
            } else if present.contains(where: { $0.phase == .waiting }) {
                .waiting
            } else if present.contains(where: { $0.stalledSince != nil }) {
                .stalled
            } else if present.contains(where: { $0.phase == .syncing }) {
                .syncing
            } else if present.contains(where: { $0.lag > 0 }) {
                .behind
            } else if peers.isEmpty {
                .alone
            } else {
                .upToDate
            }
    }
}
