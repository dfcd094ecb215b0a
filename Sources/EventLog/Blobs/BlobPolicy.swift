/// Which blobs a store takes from a peer.
///
/// Transactions never wait for blobs, and what the peer asks for is sent to it whatever the policy.
public enum BlobPolicy: UInt8, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// All that transactions name and that are not here, as soon as they are known.
    case eager = 0
    /// Those that somebody asks for.
    case onDemand = 1
    /// Not any.
    case none = 2

    /// As the command line takes it.
    public var description: String {
        switch self {
        case .eager: "eager"
        case .onDemand: "on-demand"
        case .none: "none"
        }
    }
}
