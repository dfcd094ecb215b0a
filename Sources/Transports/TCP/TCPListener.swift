// Invariants
// * `open` is nil once closed; dropping it closes the socket.

import Storage
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Listens at a TCP port.
///
/// What it accepts is a plain stream: only `TLSTransport` makes it fit for peers.
package final class TCPListener: ChannelListener {
    package let address: String
    /// With the port that the system chose, where 0 was asked for.
    package let place: HostAddress
    private let scheme: String
    private let open: Mutex<Descriptor?>

    /// Listens at the first address of the host; at an empty one, at every address of this machine.
    ///
    /// May wait for a name to be looked up.
    package init(_ host: HostAddress, scheme: String = "tcp") throws(TransportError) {
        let wanted = "\(scheme)://\(host)"
        let all = try SocketAddress.lookUp(host, forListening: true, isNumeric: false, address: wanted)
        // Where a machine is to be reached at all its addresses, `::` takes the old ones as well.
        let places = host.host.isEmpty ? all.filter { $0.family == AF_INET6 } + all.filter { $0.family != AF_INET6 } : all
        var failure = TransportError(.badAddress, address: wanted, "the host of \(wanted) has no address")
        var bound: Descriptor?
        for place in places where bound == nil {
            do throws(TransportError) {
                let socket = try Socket.make(place.family, for: wanted)
                Socket.tuneListener(socket, family: place.family, isForAll: host.host.isEmpty)
                _ = try place.bind(socket).get("listen at \(wanted)", address: wanted)
                try Socket.listen(socket, address: wanted)
                bound = socket
            } catch {
                failure = error
            }
        }
        guard let bound else { throw failure }
        place = HostAddress(host: host.host, port: SocketAddress.of(bound, isPeer: false)?.port ?? host.port)
        address = "\(scheme)://\(place)"
        self.scheme = scheme
        open = Mutex(bound)
    }

    package func accept() throws(TransportError) -> (any ByteChannel)? {
        let socket = try open.withLock { open throws(TransportError) -> Descriptor? in
            guard let open else { throw .closedHere(address) }
            return try Socket.accept(open, address: address)
        }
        guard let socket else { return nil }
        Socket.tuneTCP(socket)
        let peer = "\(scheme)://\(SocketAddress.of(socket, isPeer: true)?.text ?? "unknown")"
        return DescriptorChannel(reading: socket, writing: socket, peer: peer, identity: nil)
    }

    package var interest: PollInterest? {
        open.withLock { open in open.map { PollInterest(descriptor: $0.number, read: true, write: false) } }
    }

    package func onChange(_ wake: @escaping @Sendable () -> Void) {}

    package func close() { open.withLock { $0 = nil } }
}
