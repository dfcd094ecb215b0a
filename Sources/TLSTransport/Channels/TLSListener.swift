public import Storage
public import Transports

/// Listens for other devices at a port, by TLS 1.3.
///
/// ```swift
/// let listener = try TLSListener(host: "", port: 7878, identity: identity, trusting: TrustList(in: folder))
/// ```
///
/// Whoever connects gets a channel at once, and has twenty seconds to prove that it is a trusted device; until then, nothing can be read
/// from that channel, and nothing is sent. So one that is slow, or speaks something else, keeps nobody waiting.
public final class TLSListener: ChannelListener {
    public let address: String
    /// The port it got, where 0 was asked for.
    public let port: Int
    private let below: TCPListener
    private let identity: DeviceIdentity
    private let trusted: TrustList
    private let clock: any WallClock

    /// - Parameters:
    ///   - host: A name or number of this machine; empty for all of its addresses.
    ///   - port: 0 lets the system choose.
    /// - Throws: ``Transports/TransportError/Code/failed`` when another program has the port.
    public init(
        host: String, port: Int, identity: DeviceIdentity, trusting trusted: TrustList, clock: any WallClock = SystemClock()
    ) throws(TransportError) {
        below = try TCPListener(HostAddress(host: host, port: port), scheme: "tls")
        address = below.address
        self.port = below.place.port
        self.identity = identity
        self.trusted = trusted
        self.clock = clock
    }

    public func accept() throws(TransportError) -> (any ByteChannel)? {
        guard let channel = try below.accept() else { return nil }
        let check = PeerCheck(address: channel.peer, trusting: trusted)
        do throws(DeviceError) {
            let context = try TLSContext(.server, identity: identity, check: check)
            return try TLSChannel(over: channel, context, own: identity.id, clock: clock)
        } catch {
            channel.close()
            throw TransportError(.failed, address: channel.peer, "cannot talk to \(channel.peer): \(error)", cause: error)
        }
    }

    public var interest: PollInterest? { below.interest }

    public func onChange(_ wake: @escaping @Sendable () -> Void) { below.onChange(wake) }

    public func close() { below.close() }
}
