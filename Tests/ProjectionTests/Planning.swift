import EventLog
import Projection

/// A state with a schema and the objects of one transaction of `a`.
func planning(
    _ rule: Relationship.DeleteRule = .cascade, _ changes: (Scribe) -> [Change]
) -> (state: FoldState, a: Scribe) {
    var a = Scribe(0xa)
    a.declare(rule)
    var state = ReferenceFold.fold(a.written)
    let stamp = Stamp(timestamp: Timestamp(milliseconds: 2), replica: a.id)
    for change in changes(a) { state.apply(change, stamp: stamp) }
    state.advance(to: a.write(at: 2).header)
    return (state, a)
}

/// Applies planned changes as a transaction of another replica would.
func carryOut(_ changes: [Change], to state: inout FoldState, at time: UInt64 = 50) {
    let stamp = Stamp(timestamp: Timestamp(milliseconds: time), replica: Scribe(0xb).id)
    for change in changes { state.apply(change, stamp: stamp) }
}
