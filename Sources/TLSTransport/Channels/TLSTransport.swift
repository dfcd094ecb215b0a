public import Storage
public import Transports

/// Reaches another device over a network, by TLS 1.3.
///
/// ```swift
/// let identity = try DeviceIdentity.open(in: folder)
/// let transport = TLSTransport(host: "example.org", port: 7878, identity: identity, trusting: TrustList(in: folder))
/// let channel = try transport.connect()
/// ```
///
/// Both ends prove which device they are; each goes on only if it trusts the other's id. Certificates, names and dates prove
/// nothing here. Not one byte of the application passes before that.
public struct TLSTransport: Transport {
    public let address: String
    private let host: HostAddress
    private let identity: DeviceIdentity
    private let trusted: TrustList
    private let expected: DeviceID?
    private let clock: any WallClock

    /// - Parameter expected: The device that must answer; nil for any that is trusted.
    public init(
        host: String, port: Int, identity: DeviceIdentity, trusting trusted: TrustList, expecting expected: DeviceID? = nil,
        clock: any WallClock = SystemClock()
    ) {
        self.host = HostAddress(host: host, port: port)
        self.identity = identity
        self.trusted = trusted
        self.expected = expected
        self.clock = clock
        address = "tls://\(self.host)"
    }

    /// Begins to connect; the first reads and writes tell what became of it.
    ///
    /// - Throws: ``Transports/TransportError``: `badAddress` without a host or a port. Reads and writes throw `untrusted` when one
    ///   of the devices does not trust the other, `badPeer` when the other end speaks something else, and what connecting brings.
    public func connect() throws(TransportError) -> any ByteChannel {
        let below = try TCPTransport(host, scheme: "tls", clock: clock).connect()
        let check = PeerCheck(address: address, trusting: trusted, expecting: expected)
        do throws(DeviceError) {
            let context = try TLSContext(.client, identity: identity, check: check)
            return try TLSChannel(over: below, context, own: identity.id, clock: clock)
        } catch {
            below.close()
            throw TransportError(.failed, address: address, "cannot connect to \(address): \(error)", cause: error)
        }
    }
}
