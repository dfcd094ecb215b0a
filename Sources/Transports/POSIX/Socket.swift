import CSystem
import Storage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What is done with sockets beyond reading and writing.
///
/// None of it waits.
enum Socket {
    /// A stream socket of a family.
    static func make(_ family: Int32, for address: String) throws(TransportError) -> Descriptor {
        #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let number = try SystemCall.run { socket(family, kind, 0) }.get("make a socket for \(address)", address: address)
        return Descriptor(owning: number, isSocket: true)
        #else
        let number = try SystemCall.run { socket(family, SOCK_STREAM, 0) }.get("make a socket for \(address)", address: address)
        return try Descriptor(adopting: number, peer: address)
        #endif
    }

    static func listen(_ socket: Descriptor, address: String) throws(TransportError) {
        #if canImport(Glibc)
        _ = try SystemCall.run { Glibc.listen(socket.number, SOMAXCONN) }.get("listen at \(address)", address: address)
        #else
        _ = try SystemCall.run { Darwin.listen(socket.number, SOMAXCONN) }.get("listen at \(address)", address: address)
        #endif
    }

    /// The next connection; nil when there is none, or none any more.
    static func accept(_ listener: Descriptor, address: String) throws(TransportError) -> Descriptor? {
        while true {
            switch SystemCall.run({ csystem_accept(listener.number) }) {
            case .success(let number): return Descriptor(owning: number, isSocket: true)
            case .failure(EAGAIN), .failure(EWOULDBLOCK): return nil
            // Whoever it was is gone again, or its network has trouble: the next one.
            case .failure(ECONNABORTED), .failure(EPROTO), .failure(ENETDOWN), .failure(EHOSTUNREACH), .failure(ENETUNREACH):
                continue
            case .failure(let number):
                throw TransportError(errno: number, "accept a connection at \(address)", address: address)
            }
        }
    }

    /// What both ends of a TCP connection want: small messages at once, and to hear of a peer that vanished.
    static func tuneTCP(_ socket: Descriptor) {
        set(socket, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        set(socket, SOL_SOCKET, SO_KEEPALIVE, 1)
        #if canImport(Glibc)
        set(socket, Int32(IPPROTO_TCP), TCP_KEEPIDLE, 30)
        #else
        set(socket, Int32(IPPROTO_TCP), TCP_KEEPALIVE, 30)
        #endif
        set(socket, Int32(IPPROTO_TCP), TCP_KEEPINTVL, 10)
        set(socket, Int32(IPPROTO_TCP), TCP_KEEPCNT, 4)
    }

    /// What a listener at a TCP address wants: its port again at once after a restart, and IPv4 as well where it listens at `::`.
    static func tuneListener(_ socket: Descriptor, family: Int32, isForAll: Bool) {
        set(socket, SOL_SOCKET, SO_REUSEADDR, 1)
        if family == AF_INET6 { set(socket, Int32(IPPROTO_IPV6), IPV6_V6ONLY, isForAll ? 0 : 1) }
    }

    /// Who is at the other end of a Unix socket.
    static func peer(of socket: Descriptor, address: String) throws(TransportError) -> PeerIdentity {
        var user: UInt32 = 0
        var process: Int32 = 0
        let failure = unsafe csystem_peer(socket.number, &user, &process)
        guard failure == 0 else {
            throw TransportError(errno: failure, "find out who is at the other end of \(address)", address: address)
        }
        return .user(uid: user, process: process)
    }

    /// The user this process acts for.
    static var user: UInt32 { geteuid() }

    /// Options are wishes: a system without one still connects.
    private static func set(_ socket: Descriptor, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        _ = unsafe setsockopt(socket.number, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}
