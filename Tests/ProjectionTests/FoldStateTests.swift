import EventLog
import Projection
import Storage
import Testing

/// Registers, existence, counters and edges: each corner in every order of delivery.
@Suite struct FoldStateTests {
    @Test func theHigherStampHoldsAndTiesGoToTheHigherReplica() {
        var (a, b, c) = (Scribe(0xa), Scribe(0xb), Scribe(0xc))
        a.write(at: 1, SmallModel.insert(a.object(1), "Box", SmallModel.named("first")))
        b.write(at: 5, SmallModel.rename(a.object(1), "Box", "b"))
        c.write(at: 5, SmallModel.rename(a.object(1), "Box", "c"))
        let state = everyOrder(a.written + b.written + c.written)
        #expect(state.description == #"Box 0000000a/1.0, name: "c""#)
    }

    @Test func ofOneTransactionTheLaterWriteHolds() {
        var a = Scribe(0xa)
        a.write(
            at: 1, SmallModel.insert(a.object(1), "Box", SmallModel.named("first")),
            SmallModel.rename(a.object(1), "Box", "second"),
            SmallModel.rename(a.object(1), "Box", "third"))
        #expect(everyOrder(a.written).description == #"Box 0000000a/1.0, name: "third""#)
    }

    @Test func anUpdateBeforeTheInsertWaitsUnseen() {
        var (a, b) = (Scribe(0xa), Scribe(0xb))
        a.write(at: 1, SmallModel.insert(a.object(1), "Box", SmallModel.named("first")))
        b.write(at: 5, SmallModel.rename(a.object(1), "Box", "second"))
        #expect(everyOrder(b.written).description == "")
        #expect(everyOrder(b.written).row(a.object(1)) == nil)
        #expect(everyOrder(a.written + b.written).description == #"Box 0000000a/1.0, name: "second""#)
    }

    @Test func aDeleteBeforeTheInsertDeletes() {
        var (a, b) = (Scribe(0xa), Scribe(0xb))
        a.write(at: 1, SmallModel.insert(a.object(1), "Box", SmallModel.named("first")))
        b.write(at: 5, SmallModel.delete(a.object(1), "Box"))
        #expect(everyOrder(b.written).length(of: a.object(1)) == 2)
        #expect(everyOrder(a.written + b.written).description == "")
        #expect(everyOrder(a.written + b.written).stateDigest == .zero)
    }

    @Test func aDuplicateDeliveryChangesNothing() {
        var a = Scribe(0xa)
        a.write(at: 1, SmallModel.insert(a.object(1), "Item", SmallModel.named("first")))
        a.write(at: 2, SmallModel.add(3, to: a.object(1)))
        let once = ReferenceFold.fold(a.written)
        #expect(Picture(ReferenceFold.fold(a.written + a.written.reversed())) == Picture(once))
        #expect(once.description == #"Item 0000000a/1.0, count: #3, name: "first""#)
    }

    @Test func aDeleteBeatsALaterConcurrentUpdate() {
        var (a, b, c) = (Scribe(0xa), Scribe(0xb), Scribe(0xc))
        a.write(at: 1, SmallModel.insert(a.object(1), "Box", SmallModel.named("first")))
        b.write(at: 5, knowing: [a], SmallModel.delete(a.object(1), "Box"))
        c.write(at: 9, knowing: [a], SmallModel.rename(a.object(1), "Box", "later"))
        #expect(everyOrder(a.written + b.written + c.written).description == "")
    }

    @Test func aRestoreRevivesWithItsRowAlone() {
        var (a, b, c) = (Scribe(0xa), Scribe(0xb), Scribe(0xc))
        a.write(
            at: 1,
            SmallModel.insert(a.object(1), "Item", SmallModel.named("first"), PropertyValue(SmallModel.count, .counter(1))))
        b.write(at: 5, SmallModel.delete(a.object(1), "Item"))
        b.write(at: 6, SmallModel.restore(a.object(1), "Item", SmallModel.named("back")))
        c.write(at: 9, SmallModel.rename(a.object(1), "Item", "lost"))
        let state = everyOrder(a.written + b.written + c.written)
        #expect(state.description == #"Item 0000000a/1.0, name: "back""#)
        #expect(state.objects[a.object(1)]?.created == Timestamp(milliseconds: 6))
    }

    @Test func anUpdateAfterTheRestoreWaitsForIt() {
        var (a, b, c) = (Scribe(0xa), Scribe(0xb), Scribe(0xc))
        a.write(at: 1, SmallModel.insert(a.object(1), "Item", SmallModel.named("first")))
        b.write(at: 5, SmallModel.delete(a.object(1), "Item"))
        b.write(at: 6, SmallModel.restore(a.object(1), "Item", SmallModel.named("back")))
        c.write(
            at: 9, SmallModel.rename(a.object(1), "Item", "newest", length: 3), SmallModel.add(2, to: a.object(1), length: 3))
        #expect(everyOrder(a.written + c.written).description == #"Item 0000000a/1.0, name: "first""#)
        #expect(everyOrder(a.written + b.written + c.written).description == #"Item 0000000a/1.0, count: #2, name: "newest""#)
    }

    @Test func concurrentIncrementsAllCount() {
        var (a, b, c) = (Scribe(0xa), Scribe(0xb), Scribe(0xc))
        a.write(at: 1, SmallModel.insert(a.object(1), "Item", PropertyValue(SmallModel.count, .counter(10))))
        b.write(at: 5, SmallModel.add(2, to: a.object(1)))
        b.write(at: 6, SmallModel.add(-5, to: a.object(1)))
        c.write(at: 5, SmallModel.add(4, to: a.object(1)))
        #expect(everyOrder(a.written + b.written + c.written).description == "Item 0000000a/1.0, count: #11")
    }

    @Test func anIncrementOfTheFormerLifeIsNotPartOfTheRestoredOne() {
        var (a, b, c) = (Scribe(0xa), Scribe(0xb), Scribe(0xc))
        a.write(at: 1, SmallModel.insert(a.object(1), "Item", PropertyValue(SmallModel.count, .counter(10))))
        b.write(at: 5, SmallModel.delete(a.object(1), "Item"))
        b.write(at: 6, SmallModel.restore(a.object(1), "Item", PropertyValue(SmallModel.count, .counter(10))))
        c.write(at: 9, SmallModel.add(4, to: a.object(1)))
        #expect(everyOrder(a.written + b.written + c.written).description == "Item 0000000a/1.0, count: #10")
    }

    @Test func concurrentAddsOfAnEdgeAreOneAndARemovalKnowsWhatItRemoves() {
        var (a, b, c) = (Scribe(0xa), Scribe(0xb), Scribe(0xc))
        a.declare()
        let (item, tag) = (a.object(2), a.object(2, 1))
        a.write(at: 2, SmallModel.insert(item, "Item"), SmallModel.insert(tag, "Tag", SmallModel.named("x")))
        b.write(at: 5, SmallModel.tag(item, tag))
        c.write(at: 6, SmallModel.tag(item, tag))
        #expect(everyOrder(a.written + b.written + c.written).edges(from: item, SmallModel.tags) == [tag])
        b.write(at: 7, SmallModel.tag(item, tag, length: 2))
        #expect(everyOrder(a.written + b.written + c.written).edges(from: item, SmallModel.tags) == [])
        c.write(at: 8, knowing: [b], SmallModel.tag(item, tag, length: 3))
        let state = everyOrder(a.written + b.written + c.written)
        #expect(state.edges(from: item, SmallModel.tags) == [tag])
        #expect(state.edges(to: tag, SmallModel.tags, in: WireName("Item")) == [item])
    }

    @Test func anEdgeIsSeenWhileBothEndsAreAndComesBackWithItsTarget() {
        var (a, b) = (Scribe(0xa), Scribe(0xb))
        a.declare()
        let (item, tag) = (a.object(2), a.object(2, 1))
        a.write(
            at: 2, SmallModel.insert(item, "Item"), SmallModel.insert(tag, "Tag", SmallModel.named("x")),
            SmallModel.tag(item, tag))
        b.write(at: 5, SmallModel.delete(tag, "Tag"))
        #expect(everyOrder(a.written + b.written).edges(from: item, SmallModel.tags) == [])
        b.write(at: 6, SmallModel.restore(tag, "Tag", SmallModel.named("x")))
        #expect(everyOrder(a.written + b.written).edges(from: item, SmallModel.tags) == [tag])
    }

    @Test func rollbackLeavesNoTrace() {
        var a = Scribe(0xa)
        a.declare()
        a.write(at: 2, SmallModel.insert(a.object(2), "Tag", SmallModel.named("x")))
        var state = ReferenceFold.fold(a.written)
        let before = Picture(state)
        state.begin()
        var second = SmallModel.schema(.deny)[2]
        if case .schema(var declaration) = second {
            declaration.uniqueKey = []
            declaration.version = 9
            second = .schema(declaration)
        }
        let scratch = a.write(
            at: 3, SmallModel.insert(a.object(3), "Tag", SmallModel.named("x")), SmallModel.delete(a.object(2), "Tag"), second)
        state.apply(scratch)
        #expect(Picture(state) != before)
        state.rollback()
        #expect(Picture(state) == before)
        #expect(state.lookup(WireName("Tag"), key: [.string("x")]) == a.object(2))
    }
}
