import Storage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension TransportError {
    /// Translates the system's error number.
    ///
    /// Every refused system call passes here exactly once; `action` is what was being done: "connect to unix:/run/posts".
    init(errno number: Int32, _ action: String, address: String) {
        let (code, reason) = Self.meaning(number)
        self.init(
            code, address: address, "cannot \(action): \(reason) (errno \(number))",
            isRetryable: Self.isShortage(number) ? true : nil)
    }

    /// The table of error numbers.
    private static func meaning(_ number: Int32) -> (Code, String) {
        switch number {
        case ECONNREFUSED: (.refused, "nobody listens there; start `strandline serve` on the other side")
        case ENOENT: (.unreachable, "there is no such socket; start `strandline serve` on the other side")
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN:
            (.unreachable, "there is no way to it; see whether this machine is connected to the network")
        case ETIMEDOUT: (.timedOut, "it does not answer; see whether a firewall is in between")
        case EACCES, EPERM, EROFS:
            (.notPermitted, "the system does not allow it; check owner and mode, or choose a port above 1023")
        case ECONNRESET, EPIPE, ECONNABORTED, ENOTCONN, ESHUTDOWN:
            (.closed, "the connection broke off; see whether the other end still runs, and connect again")
        case EBADF: (.closed, "the descriptor has been closed")
        case EADDRINUSE: (.failed, "another program has this address; stop it, or choose another one")
        case EADDRNOTAVAIL: (.badAddress, "this machine has no such address")
        case ENOTDIR, ENAMETOOLONG, ELOOP, EAFNOSUPPORT, EINVAL: (.badAddress, "the system does not accept this address")
        case EMFILE, ENFILE: (.failed, "too many files are open; raise the limit (ulimit -n) or close some connections")
        case ENOBUFS, ENOMEM: (.failed, "the system has no memory left for it; try again later")
        default: (.failed, "the system refused")
        }
    }

    private static func isShortage(_ number: Int32) -> Bool { [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(number) }
}

extension SystemCall.Outcome {
    /// The value, or the error number as an error.
    func get(_ action: @autoclosure () -> String, address: String) throws(TransportError) -> Value {
        switch self {
        case .success(let value): return value
        case .failure(let number): throw TransportError(errno: number, action(), address: address)
        }
    }
}
