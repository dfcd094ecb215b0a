/// One end of a ``ChannelPair``.
final class PairChannel: ByteChannel {
    let peer: String
    let identity: PeerIdentity?
    private let link: PairLink
    private let side: Int

    init(link: PairLink, side: Int, peer: String, identity: PeerIdentity?) {
        self.link = link
        self.side = side
        self.peer = peer
        self.identity = identity
    }

    deinit { close() }

    func read(into buffer: inout MutableSpan<UInt8>) throws(TransportError) -> ChannelRead {
        precondition(buffer.count > 0, "a read needs room for a byte at least")
        return try link.read(side: side, into: &buffer, peer: peer)
    }

    func write(_ bytes: Span<UInt8>) throws(TransportError) -> Int { try link.write(side: side, bytes, peer: peer) }

    func readiness(wantsToWrite: Bool) -> ChannelReadiness { .signal }

    func onChange(_ wake: @escaping @Sendable () -> Void) { link.onChange(side: side, wake) }

    func recheck() throws(TransportError) { try link.check(side: side, peer: peer) }

    func close() { link.close(side: side) }
}
