import EventLog
import Projection

/// A transaction in progress: each change is applied before the next is planned.
struct HistoryWriter {
    var state: FoldState
    let stamp: Stamp
    let sequence: UInt64
    private(set) var changes: [Change] = []
    var hasFailed = false
    private var minted: UInt32 = 0

    init(state: FoldState, stamp: Stamp, sequence: UInt64) {
        self.state = state
        self.stamp = stamp
        self.sequence = sequence
    }

    /// The id of the next insert.
    var nextObject: ObjectID { ObjectID(replica: stamp.replica, sequence: sequence, index: minted) }

    mutating func mint() -> ObjectID {
        defer { minted += 1 }
        return nextObject
    }

    mutating func apply(_ change: Change) {
        state.apply(change, stamp: stamp)
        changes.append(change)
    }

    mutating func apply(_ changes: [Change]) {
        for change in changes { apply(change) }
    }
}
