package import Storage

/// Reaches a TCP port, by a plain stream: only `TLSTransport` makes it fit for peers.
package struct TCPTransport: Transport {
    package let address: String
    private let host: HostAddress
    private let clock: any WallClock

    package init(_ host: HostAddress, scheme: String = "tcp", clock: any WallClock = SystemClock()) {
        self.host = host
        self.clock = clock
        address = "\(scheme)://\(host)"
    }

    /// Begins to look the host up and to connect to its addresses, one after the other.
    package func connect() throws(TransportError) -> any ByteChannel {
        guard !host.host.isEmpty, host.port > 0 else {
            throw TransportError(
                .badAddress, address: address, "\(address) names no host or no port to connect to; write host:7878")
        }
        return try TCPChannel(host, peer: address, clock: clock)
    }
}
