// Invariants
// * `number` is open as long as this object lives and is closed by its deinit, once; who may close while others read holds
//   the object under a lock.
// * It never waits (O_NONBLOCK), but for the ends of pipes made for a child process, and no child process inherits it (close-on-exec).
// * `wasBlocking`: others share the open description (a terminal, a pipe of the parent's), so it waits again once we are done.

import CSystem
import Storage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// An open descriptor that belongs to this object.
final class Descriptor: Sendable {
    let number: Int32
    let isSocket: Bool
    private let wasBlocking: Bool

    /// Takes over a descriptor that was made not to wait.
    init(owning number: Int32, isSocket: Bool) {
        self.number = number
        self.isSocket = isSocket
        wasBlocking = false
    }

    /// Takes over a descriptor that somebody else made, and that ``check(_:peer:)`` has seen.
    init(adopting number: Int32, peer: String) throws(TransportError) {
        let action = "use descriptor \(number) for \(peer)"
        let flags = try SystemCall.run { fcntl(number, F_GETFL) }.get(action, address: peer)
        _ = try SystemCall.run { fcntl(number, F_SETFL, flags | O_NONBLOCK) }.get(action, address: peer)
        _ = try SystemCall.run { fcntl(number, F_SETFD, FD_CLOEXEC) }.get(action, address: peer)
        self.number = number
        isSocket = try Self.check(number, peer: peer) == S_IFSOCK
        wasBlocking = flags & O_NONBLOCK == 0
    }

    /// What kind of thing an open descriptor leads to, as the system's `S_IF…`; throws when it is not open.
    @discardableResult
    static func check(_ number: Int32, peer: String) throws(TransportError) -> mode_t {
        var facts = stat()
        _ = try SystemCall.run { unsafe fstat(number, &facts) }.get("use descriptor \(number) for \(peer)", address: peer)
        return facts.st_mode & S_IFMT
    }

    deinit {
        if wasBlocking { _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) & ~O_NONBLOCK) }
        // Never repeated on EINTR: the descriptor is gone in either case, and may be someone else's already.
        #if canImport(Glibc)
        _ = Glibc.close(number)
        #else
        _ = Darwin.close(number)
        #endif
    }

    /// What is written to the second can be read from the first.
    static func pipe(for address: String) throws(TransportError) -> (reading: Descriptor, writing: Descriptor) {
        var ends: [Int32] = [-1, -1]
        let failure = unsafe csystem_pipe(&ends)
        guard failure == 0 else { throw TransportError(errno: failure, "make a pipe for \(address)", address: address) }
        return (Descriptor(owning: ends[0], isSocket: false), Descriptor(owning: ends[1], isSocket: false))
    }

    /// For the end of a pipe that another program is about to get.
    func makeWait(for address: String) throws(TransportError) {
        _ = try SystemCall.run { fcntl(number, F_SETFL, fcntl(number, F_GETFL) & ~O_NONBLOCK) }
            .get("make a pipe for \(address)", address: address)
    }

    /// Bytes read, 0 at the end, `EAGAIN` when there are none now.
    func read(into buffer: inout MutableSpan<UInt8>) -> SystemCall.Outcome<Int> {
        SystemCall.run {
            unsafe buffer.withUnsafeMutableBytes {
                #if canImport(Glibc)
                unsafe Glibc.read(number, $0.baseAddress, $0.count)
                #else
                unsafe Darwin.read(number, $0.baseAddress, $0.count)
                #endif
            }
        }
    }

    /// Bytes taken, `EAGAIN` when there is no room now.
    ///
    /// A peer that is gone is `EPIPE` and no signal.
    func write(_ bytes: Span<UInt8>) -> SystemCall.Outcome<Int> {
        SystemCall.run {
            unsafe bytes.withUnsafeBytes {
                #if canImport(Glibc)
                if isSocket { return unsafe send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                #endif
                return unsafe csystem_write_quietly(number, $0.baseAddress, $0.count)
            }
        }
    }

    /// Tells the peer of a socket that nothing more comes, and throws away what it sent meanwhile.
    ///
    /// A TCP socket closed with unread bytes resets the connection, and what the peer has not read yet might be lost.
    func sayGoodbye() {
        guard isSocket, shutdown(number, Int32(SHUT_WR)) == 0 else { return }
        var scratch = [UInt8](repeating: 0, count: 16_384)
        var space = scratch.mutableSpan
        for _ in 0..<64 {
            guard case .success(let count) = read(into: &space), count > 0 else { return }
        }
    }
}
