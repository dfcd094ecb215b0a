// Invariants
// * Who listens at a path holds the lock on `path.lock` as long as it does. So of two that start at once one is refused, and
//   whoever holds it may remove a socket that nobody answers at.
// * The socket's mode is set between bind and listen: before that nobody can connect, so there is no moment with another mode.
// * `open` is nil once closed. The name is removed only while it is still this listener's socket.

import Storage
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Listens at a Unix socket, for peers on this machine.
///
/// ```swift
/// let listener = try UnixListener(path: "/run/user/1000/posts")
/// defer { listener.close() }
/// let channel = try listener.accept()
/// ```
///
/// The socket has mode 0600, and the kernel is asked who connects: the user of this process and root may, others when they are allowed
/// (whoever allows others must also let them reach it, by the mode of the socket). What a listener that died left behind
/// is replaced; a living one's socket, and anything that is no socket, is left alone. A small file `path.lock` stays.
public final class UnixListener: ChannelListener {
    private struct Open {
        let socket: Descriptor
        let lock: any File
        let kind: SocketFile.Kind
    }

    public let address: String
    private let file: SocketFile
    private let peers: UnixPeers
    private let open: Mutex<Open?>

    /// - Parameters:
    ///   - path: Of the socket, at most about a hundred bytes (107 on Linux). Its directory must exist.
    ///   - users: Numbers of further users who may connect.
    /// - Throws: ``TransportError/Code/failed`` when another process listens there; `badAddress` when the path is too long, or
    ///   something else lies there.
    public init(path: String, allowing users: Set<UInt32> = []) throws(TransportError) {
        let address = "unix:\(path)"
        let place = try SocketAddress(path: path, address: address)
        let file = SocketFile(path: path, address: address)
        let lock = try Self.lock(path, address)
        do throws(TransportError) {
            try Self.removeStale(file, place)
            let socket = try Socket.make(AF_UNIX, for: address)
            _ = try place.bind(socket).get("listen at \(address)", address: address)
            try file.makePrivate()
            try Socket.listen(socket, address: address)
            open = Mutex(Open(socket: socket, lock: lock, kind: try file.kind()))
        } catch {
            Self.giveBack(lock)
            throw error
        }
        self.address = address
        self.file = file
        peers = UnixPeers(allowed: users)
    }

    deinit { close() }

    public func accept() throws(TransportError) -> (any ByteChannel)? {
        let socket = try open.withLock { open throws(TransportError) -> Descriptor? in
            guard let open else { throw .closedHere(address) }
            return try Socket.accept(open.socket, address: address)
        }
        guard let socket else { return nil }
        let identity = try peers.check(socket, address: address)
        return DescriptorChannel(reading: socket, writing: socket, peer: address, identity: identity)
    }

    public var interest: PollInterest? {
        open.withLock { open in
            open.map { PollInterest(descriptor: $0.socket.number, read: true, write: false) }
        }
    }

    /// Does nothing: there is a descriptor to wait for.
    public func onChange(_ wake: @escaping @Sendable () -> Void) {}

    public func close() {
        let open = open.withLock { open -> Open? in
            defer { open = nil }
            return open
        }
        guard let open else { return }
        // A name that stays behind does no harm: the next listener replaces it.
        try? file.remove(open.kind)
        Self.giveBack(open.lock)
    }

    /// A child process that is being started has a copy of every descriptor for a moment, and a lock that is only closed would be held
    /// by that.
    private static func giveBack(_ lock: any File) {
        try? lock.unlock()
        lock.close()
    }

    private static func lock(_ path: String, _ address: String) throws(TransportError) -> any File {
        do throws(StorageError) {
            let lock = try POSIXFileSystem().open(path + ".lock", .create)
            if try lock.tryLock() { return lock }
            lock.close()
        } catch {
            throw TransportError(
                .failed, address: address, "cannot listen at \(address): \(error.description)", cause: error)
        }
        throw inUse(address)
    }

    private static func removeStale(_ file: SocketFile, _ place: SocketAddress) throws(TransportError) {
        let kind = try file.kind()
        switch kind {
        case .nothing: return
        case .other:
            throw TransportError(
                .badAddress, address: file.address,
                "cannot listen at \(file.address): what lies there is no socket, and is left alone; choose another path")
        case .socket:
            // A program that knows nothing of our lock may be the one that listens.
            let probe = try Socket.make(AF_UNIX, for: file.address)
            guard case .failure(let number) = place.connect(probe), number != EAGAIN, number != EACCES else {
                throw inUse(file.address)
            }
            try file.remove(kind)
        }
    }

    private static func inUse(_ address: String) -> TransportError {
        TransportError(
            .failed, address: address,
            "another process listens at \(address) already; connect to that one, stop it, or choose another path")
    }
}
