import EventLog
import Projection
import Storage

/// All answers of a state, to compare two of them.
struct Picture: Equatable {
    var stateDigest: Digest128
    var contentDigest: Digest128
    var vector: [ReplicaID: UInt64]
    var rows: String

    init(_ state: FoldState) {
        stateDigest = state.stateDigest
        contentDigest = state.contentDigest
        vector = state.vector
        rows = state.description
    }
}
