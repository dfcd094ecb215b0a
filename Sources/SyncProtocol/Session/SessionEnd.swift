/// How a session came to its end.
package enum SessionEnd: Hashable, Sendable {
    /// Both sides have what they came for.
    case complete
    /// The peer closed the connection in between.
    case interrupted
    /// This side closed it.
    case closed
    /// This side refused the peer, or what it sent.
    case refused(Refusal)
    /// The peer refused this side.
    case refusedByPeer(Refusal)
}
