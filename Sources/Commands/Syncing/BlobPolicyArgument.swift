import Strandline

/// Which blobs are taken from a peer.
enum BlobPolicyArgument: String, ArgumentValue, CaseIterable {
    case eager
    case onDemand = "on-demand"
    case none

    var policy: BlobPolicy {
        switch self {
        case .eager: .eager
        case .onDemand: .onDemand
        case .none: .none
        }
    }
}
