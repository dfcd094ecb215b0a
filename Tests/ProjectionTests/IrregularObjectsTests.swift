import EventLog
import Projection
import Testing

/// What is forgotten of irregular objects, and what must not be.
@Suite struct IrregularObjectsTests {
    /// A box in a box in a box that is not here: only its end, which may come before it, hides them all.
    @Test func theEndOfAnOwnerThatNeverCameHidesWhatHangsOnIt() {
        let a = Scribe(0xa)
        let (missing, inner, innermost) = (Scribe(0xb).object(1), a.object(2), a.object(2, 1))
        let stamp = Stamp(timestamp: Timestamp(milliseconds: 5), replica: a.id)
        let changes =
            SmallModel.schema() + [
                SmallModel.insert(inner, "Box", PropertyValue(SmallModel.box, .reference(missing))),
                SmallModel.insert(innermost, "Box", PropertyValue(SmallModel.box, .reference(inner))),
            ]
        for prunes in [false, true] {
            for start in [FoldState(), .tracking] {
                var state = start
                for change in changes { state.apply(change, stamp: stamp) }
                if prunes { state.pruneIrregular() }
                #expect(state.members(of: inner) == [inner] && state.members(of: innermost) == [innermost])
                state.apply(.delete(object: missing, entity: "Box", length: 2, seen: []), stamp: stamp)
                #expect(state.members(of: inner).isEmpty && state.members(of: innermost).isEmpty)
            }
        }
    }
}
