import EventLog
import Projection
import Storage
import Testing

/// Baselines: no resurrection, nothing lost, joins. (Every order with a baseline anywhere is part of `everyOrder`.)
@Suite struct FoldStateBaselineTests {
    @Test func aDeletedObjectIsForgottenAndDoesNotComeBack() {
        var (a, b) = (Scribe(0xa), Scribe(0xb))
        a.declare()
        a.write(at: 2, SmallModel.insert(a.object(2), "Box", SmallModel.named("gone")))
        a.write(at: 3, SmallModel.delete(a.object(2), "Box"))
        let baseline = ReferenceFold.fold(a.written).baseline()
        #expect(baseline.objects.isEmpty)
        b.write(at: 9, SmallModel.rename(a.object(2), "Box", "late"))
        var state = ReferenceFold.fold(b.written, baseline: baseline)
        #expect(state.length(of: a.object(2)) == 2)
        #expect(state.description == "")
        #expect(state.stateDigest == .zero)
        b.write(at: 10, SmallModel.restore(a.object(2), "Box", SmallModel.named("back")))
        state = ReferenceFold.fold(b.written, baseline: baseline)
        #expect(Picture(state) == Picture(ReferenceFold.fold(a.written + b.written)))
        #expect(state.objects(of: WireName("Box")) == [a.object(2)])
    }

    @Test func aDeleteWhoseInsertIsAboveTheFloorIsKept() {
        var (a, b) = (Scribe(0xa), Scribe(0xb))
        a.write(at: 2, SmallModel.insert(a.object(1), "Box"))
        b.write(at: 3, SmallModel.delete(a.object(1), "Box"))
        let baseline = ReferenceFold.fold(b.written).baseline()
        #expect(baseline.objects.map(\.length) == [2])
        #expect(ReferenceFold.fold(a.written, baseline: baseline).description == "")
    }

    @Test func whatWaitsForARestoreIsKept() {
        var (a, b, c) = (Scribe(0xa), Scribe(0xb), Scribe(0xc))
        a.write(at: 2, SmallModel.insert(a.object(1), "Item"))
        a.write(at: 3, SmallModel.delete(a.object(1), "Item"))
        b.write(at: 4, SmallModel.restore(a.object(1), "Item", SmallModel.named("back")))
        c.write(
            at: 5, SmallModel.rename(a.object(1), "Item", "newest", length: 3), SmallModel.add(2, to: a.object(1), length: 3))
        let baseline = ReferenceFold.fold(a.written + c.written).baseline()
        let state = ReferenceFold.fold(b.written, baseline: baseline)
        #expect(state.description == #"Item 0000000a/1.0, count: #2, name: "newest""#)
    }

    @Test func importingABaselineDeletesWhatItCoversAndLacks() {
        var (a, b) = (Scribe(0xa), Scribe(0xb))
        a.declare()
        a.write(at: 2, SmallModel.insert(a.object(2), "Box", SmallModel.named("old")))
        b.write(at: 3, SmallModel.insert(b.object(1), "Box", SmallModel.named("own")))
        var behind = ReferenceFold.fold(a.written + b.written)
        a.write(at: 4, SmallModel.delete(a.object(2), "Box"))
        behind.apply(baseline: ReferenceFold.fold(a.written).baseline())
        #expect(behind.description == #"Box 0000000b/1.0, name: "own", inner: [], items: []"#)
        #expect(behind.vector == [a.id: 3, b.id: 1])
    }

    /// From a peer that is behind: what it still has was deleted here, and not even a tombstone is left of it.
    @Test func anOlderBaselineBringsNothingBack() {
        var a = Scribe(0xa)
        a.declare()
        a.write(at: 2, SmallModel.insert(a.object(2), "Box", SmallModel.named("old")))
        let early = ReferenceFold.fold(a.written).baseline()
        a.write(at: 3, SmallModel.delete(a.object(2), "Box"))
        let late = ReferenceFold.fold(a.written).baseline()
        #expect(early.objects.count == 1 && late.objects.isEmpty)
        #expect(late.joined(with: early) == late)
        #expect(early.joined(with: late) == late)
    }

    @Test func countersOfTwoBaselinesAreNotCountedTwice() {
        var (a, b) = (Scribe(0xa), Scribe(0xb))
        a.write(at: 2, SmallModel.insert(a.object(1), "Item", PropertyValue(SmallModel.count, .counter(1))))
        b.write(at: 3, SmallModel.add(10, to: a.object(1)))
        let early = ReferenceFold.fold(a.written + b.written).baseline()
        b.write(at: 4, SmallModel.add(100, to: a.object(1)))
        a.write(at: 5, SmallModel.add(1000, to: a.object(1)))
        let late = ReferenceFold.fold(Array(a.written.prefix(1)) + b.written).baseline()
        let other = ReferenceFold.fold(a.written + b.written.prefix(1)).baseline()
        for joined in [early.joined(with: late).joined(with: other), other.joined(with: late), late.joined(with: other)] {
            #expect(FoldState(joined).row(a.object(1))?[SmallModel.count] == .value(.counter(1111)))
            #expect(joined == ReferenceFold.fold(a.written + b.written).baseline())
        }
    }

    @Test func theSchemaComesBackWithTheRanksOfItsParts() {
        var (a, b) = (Scribe(0xa), Scribe(0xb))
        let one = FieldDeclaration(SmallModel.name)
        let two = FieldDeclaration(SmallModel.count, isIndexed: true)
        a.write(at: 1, .schema(EntityDeclaration(name: "T", version: 3, fields: [one], uniqueKey: ["name"])))
        a.write(at: 2, .schema(EntityDeclaration(name: "T", version: 2, fields: [two], uniqueKey: ["count"])))
        b.write(at: 9, .schema(EntityDeclaration(name: "T", version: 2, fields: [FieldDeclaration(SmallModel.count)])))
        let whole = ReferenceFold.fold(a.written + b.written)
        let baseline = ReferenceFold.fold(a.written).baseline()
        let state = ReferenceFold.fold(b.written, baseline: baseline)
        #expect(state.schema == whole.schema)
        #expect(state.schema.key(of: WireName("T")) == ["name"])
        #expect(state.schema.field(SmallModel.count, of: WireName("T"))?.isIndexed == false)
    }
}
