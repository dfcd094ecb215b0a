import EventLog
import Projection
import Testing

/// The inverse of a transaction, planned on what holds now.
@Suite struct FoldStateUndoTests {
    /// Undoes the last transaction of `b` on the fold of everything and returns the state after and the leftovers.
    private func undone(_ scribes: Scribe..., last: Scribe) -> (state: FoldState, plan: UndoPlan) {
        var state = ReferenceFold.fold(scribes.flatMap(\.written))
        let plan = last.written.last.map { state.planUndo($0) } ?? UndoPlan()
        let stamp = Stamp(timestamp: Timestamp(milliseconds: 1_000), replica: Scribe(0xe).id)
        for change in plan.changes { state.apply(change, stamp: stamp) }
        return (state, plan)
    }

    private func world() -> Scribe {
        var a = Scribe(0xa)
        a.declare()
        a.write(
            at: 2, SmallModel.insert(a.object(2), "Item", SmallModel.named("x"), PropertyValue(SmallModel.count, .counter(1))),
            SmallModel.insert(a.object(2, 1), "Tag", SmallModel.named("t")), SmallModel.tag(a.object(2), a.object(2, 1)))
        return a
    }

    @Test func whatItStillWinsGoesBackAndTheRestIsListed() throws {
        var a = world()
        var b = Scribe(0xb)
        let before = ReferenceFold.fold(a.written)
        let other = Property("other", .int)
        let update = try before.planUpdate(a.object(2), [SmallModel.named("y"), PropertyValue(other, .int(1))])
        b.write(at: 5, update[0])
        var (state, plan) = undone(a, b, last: b)
        #expect(state.row(a.object(2))?[SmallModel.name] == .value(.string("x")))
        #expect(state.row(a.object(2))?[other] == .value(.null))
        #expect(plan.leftovers.isEmpty)
        a.write(at: 6, SmallModel.rename(a.object(2), "Item", "z"))
        (state, plan) = undone(a, b, last: b)
        #expect(state.row(a.object(2))?[SmallModel.name] == .value(.string("z")))
        #expect(plan.leftovers == [UndoPlan.Leftover(object: a.object(2), property: SmallModel.name, reason: .overwritten)])
    }

    @Test func aDeleteIsUndoneWithRowAndEdges() throws {
        let a = world()
        var b = Scribe(0xb)
        let before = ReferenceFold.fold(a.written)
        let changes = try before.planDelete([a.object(2)])
        #expect(changes.count == 2)
        b.write(at: 5, changes[0], changes[1])
        let (state, plan) = undone(a, b, last: b)
        #expect(plan.leftovers.isEmpty)
        #expect(state.description == before.description)
    }

    @Test func anInsertIsDeletedIncrementsAndEdgesAreInverted() {
        let a = world()
        var b = Scribe(0xb)
        let before = ReferenceFold.fold(a.written)
        b.write(
            at: 5, SmallModel.insert(b.object(1), "Item"), SmallModel.add(4, to: a.object(2)),
            SmallModel.tag(a.object(2), a.object(2, 1), length: 2))
        #expect(ReferenceFold.fold(a.written + b.written).description != before.description)
        let (state, plan) = undone(a, b, last: b)
        #expect(plan.leftovers.isEmpty)
        #expect(state.description == before.description)
    }

    @Test func whatIsGoneSinceIsListed() {
        var a = world()
        var b = Scribe(0xb)
        b.write(at: 5, SmallModel.rename(a.object(2), "Item", "y"), SmallModel.insert(b.object(1), "Item"))
        a.write(at: 6, SmallModel.delete(a.object(2), "Item"), SmallModel.delete(b.object(1), "Item"))
        let (_, plan) = undone(a, b, last: b)
        #expect(plan.changes.isEmpty)
        #expect(plan.leftovers.map(\.reason) == [.gone, .gone])
    }

    @Test func undoingAnInsertLeavesWhatOthersMadeWithItsKey() {
        let a = world()
        var b = Scribe(0xb)
        b.write(at: 5, SmallModel.insert(b.object(1), "Tag", SmallModel.named("t")))
        let (state, plan) = undone(a, b, last: b)
        #expect(plan.changes.compactMap(\.object) == [b.object(1)])
        #expect(state.members(of: a.object(2, 1)) == [a.object(2, 1)])
    }

    @Test func anUndoneUndoIsTheSameAgain() throws {
        let a = world()
        var b = Scribe(0xb)
        let changes = try ReferenceFold.fold(a.written).planDelete([a.object(2)])
        b.write(at: 5, changes[0], changes[1])
        let deleted = ReferenceFold.fold(a.written + b.written)
        let first = undone(a, b, last: b).plan.changes
        b.write(at: 7, first[1], first[2])
        let (state, plan) = undone(a, b, last: b)
        #expect(plan.leftovers.isEmpty)
        #expect(state.description == deleted.description)
    }
}
