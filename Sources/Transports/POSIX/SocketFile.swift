import Storage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The name of a Unix socket in the file system.
///
/// Nothing but a socket is ever removed.
struct SocketFile: Sendable {
    /// What lies at a path.
    enum Kind: Equatable {
        case nothing, other
        /// A socket, with what identifies it.
        case socket(device: UInt64, inode: UInt64)
    }

    let path: String
    let address: String

    func kind() throws(TransportError) -> Kind {
        var facts = stat()
        switch SystemCall.run({ unsafe lstat(path, &facts) }) {
        case .failure(ENOENT): return .nothing
        case .failure(let number): throw TransportError(errno: number, "look at \(path)", address: address)
        case .success:
            guard facts.st_mode & S_IFMT == S_IFSOCK else { return .other }
            return .socket(device: UInt64(facts.st_dev), inode: UInt64(facts.st_ino))
        }
    }

    /// Removes the socket if it is the one that `kind` tells of.
    func remove(_ expected: Kind) throws(TransportError) {
        guard case .socket = expected, try kind() == expected else { return }
        switch SystemCall.run({ unsafe unlink(path) }) {
        case .success, .failure(ENOENT): return
        case .failure(let number): throw TransportError(errno: number, "remove the old socket \(path)", address: address)
        }
    }

    /// Lets nobody but the owner connect.
    func makePrivate() throws(TransportError) {
        _ = try SystemCall.run { unsafe chmod(path, 0o600) }.get("set the mode of \(path)", address: address)
    }
}
