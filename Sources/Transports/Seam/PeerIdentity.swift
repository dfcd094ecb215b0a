/// Who is proven to be at the other end of a ``ByteChannel``.
public enum PeerIdentity: Sendable, Hashable, CustomStringConvertible {
    /// A device that holds the key of this device id (in its text form), proven by TLS.
    case device(String)
    /// A user of this machine, and the process it connected with, as the kernel says.
    case user(uid: UInt32, process: Int32)

    public var description: String {
        switch self {
        case .device(let id): "device \(id)"
        case .user(let uid, let process): process == 0 ? "user \(uid)" : "user \(uid), process \(process)"
        }
    }
}
