import Storage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Reaches a peer on this machine through a Unix socket.
///
/// ```swift
/// let channel = try UnixTransport(path: "/run/user/1000/posts").connect()
/// ```
///
/// The one who listens must be the user of this process, or root, or allowed: in a directory where everybody may write, somebody
/// else might be waiting under that name.
public struct UnixTransport: Transport {
    public let address: String
    private let path: String
    private let peers: UnixPeers

    /// - Parameters:
    ///   - path: Of the socket, at most about a hundred bytes (107 on Linux).
    ///   - users: Numbers of further users whose socket it may be.
    public init(path: String, allowing users: Set<UInt32> = []) {
        self.path = path
        address = "unix:\(path)"
        peers = UnixPeers(allowed: users)
    }

    /// Connects; a Unix socket does so at once.
    ///
    /// - Throws: ``TransportError/Code/unreachable`` when there is no socket, or its queue of visitors is full (try again);
    ///   `refused` when nobody listens at it, `notPermitted` for another user's, `badAddress` for a path too long.
    public func connect() throws(TransportError) -> any ByteChannel {
        let place = try SocketAddress(path: path, address: address)
        let socket = try Socket.make(AF_UNIX, for: address)
        if case .failure(let number) = place.connect(socket) {
            guard number != EAGAIN else {
                throw TransportError(
                    .unreachable, address: address, "too many are waiting to be let in at \(address); try again in a moment")
            }
            throw TransportError(errno: number, "connect to \(address)", address: address)
        }
        let identity = try peers.check(socket, address: address)
        return DescriptorChannel(reading: socket, writing: socket, peer: address, identity: identity)
    }
}
