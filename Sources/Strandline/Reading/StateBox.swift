// Invariants
// * `state` changes only under the lock that owns the box, or never, for a snapshot's.
// * A transaction looks into the live box, within that lock; whoever else reads has a box of its own, around a copy of the state.

import EventLog
import Projection

/// A state by reference, so that rows can look into it without copying it.
final class StateBox {
    var state: FoldState
    /// Where the objects' blobs are read from.
    let blobs: any BlobSource

    init(_ state: FoldState, blobs: any BlobSource) {
        self.state = state
        self.blobs = blobs
    }

    /// Whether an object may have a term; as the next one, without a copy of the state.
    func isTermKnown(_ term: UInt64) -> Bool { state.objects.isTermKnown(term) }

    /// See ``FoldState/runRow(of:likely:)``: without a copy of the state, which is what most of the time would go to.
    func runRow(of id: ObjectID, likely entity: WireName?) -> RunRow? {
        guard let base = state.objects.base as? RunSet, state.irregular?.contains(id) == false,
            !state.objects.isInMemory(id)
        else { return nil }
        return base.row(of: id, likely: entity)
    }
}
