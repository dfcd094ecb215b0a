/// Two channels of one process, joined: what is written to the one is read from the other.
///
/// For tests, and for apps that keep two stores in one process or bring bytes from elsewhere:
///
/// ```swift
/// let pair = ChannelPair(capacity: 4096)
/// let sent = try pair.first.write([1, 2, 3].span)   // 3
/// ```
///
/// Each direction holds `capacity` bytes; there is no descriptor, so both tell by ``ByteChannel/onChange(_:)``.
public struct ChannelPair: Sendable {
    public let first: any ByteChannel
    public let second: any ByteChannel

    /// - Parameters:
    ///   - capacity: Bytes that may wait in each direction, at least one.
    ///   - name: What both are called in messages, after `pair:`.
    ///   - identities: Who the other end of the first, and of the second, is said to be.
    public init(
        capacity: Int = 65_536, name: String = "memory", identities: (PeerIdentity?, PeerIdentity?) = (nil, nil)
    ) {
        precondition(capacity > 0, "a pair of channels needs room for a byte at least")
        let link = PairLink(capacity: capacity)
        first = PairChannel(link: link, side: 0, peer: "pair:\(name)", identity: identities.0)
        second = PairChannel(link: link, side: 1, peer: "pair:\(name)", identity: identities.1)
    }
}
