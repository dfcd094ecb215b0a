import EventLog
import Projection
import Testing

/// Hiding and references, each in every order of delivery.
@Suite struct FoldStateExistenceTests {
    @Test func anItemAddedToADeletedBoxIsHiddenUntilTheBoxComesBack() {
        var (a, b, c) = (Scribe(0xa), Scribe(0xb), Scribe(0xc))
        a.declare()
        a.write(at: 2, SmallModel.insert(a.object(2), "Box"))
        b.write(at: 5, SmallModel.delete(a.object(2), "Box"))
        c.write(at: 6, SmallModel.insert(c.object(1), "Item", SmallModel.inside(a.object(2))))
        let hidden = everyOrder(a.written + b.written + c.written)
        #expect(hidden.isAlive(c.object(1)) && hidden.isHidden(c.object(1)))
        #expect(hidden.description == "")
        b.write(at: 7, SmallModel.restore(a.object(2), "Box"))
        #expect(everyOrder(a.written + b.written + c.written).objects(of: WireName("Item")) == [c.object(1)])
    }

    @Test func anOwnerThatHasNotArrivedHidesNothing() {
        var (a, b, c) = (Scribe(0xa), Scribe(0xb), Scribe(0xc))
        a.declare()
        b.write(at: 2, SmallModel.insert(b.object(1), "Box"))
        c.write(at: 6, SmallModel.insert(c.object(1), "Item", SmallModel.inside(b.object(1))))
        let state = everyOrder(a.written + c.written)
        #expect(state.row(c.object(1))?[SmallModel.box] == .reference(.notHereYet(b.object(1))))
        let later = everyOrder(a.written + b.written + c.written)
        #expect(later.row(c.object(1))?[SmallModel.box] == .reference(.object(b.object(1))))
    }

    @Test func aCycleAloneHidesNothingButADeletedOwnerOfItHidesAll() {
        var (a, b) = (Scribe(0xa), Scribe(0xb))
        a.declare()
        let (one, two, outer) = (a.object(2), a.object(2, 1), a.object(2, 2))
        a.write(
            at: 2, SmallModel.insert(one, "Box", SmallModel.inside(two)), SmallModel.insert(two, "Box", SmallModel.inside(one)),
            SmallModel.insert(outer, "Box"))
        #expect(everyOrder(a.written).objects(of: WireName("Box")) == [one, two, outer])
        b.write(at: 5, SmallModel.delete(two, "Box"))
        #expect(everyOrder(a.written + b.written).objects(of: WireName("Box")) == [outer])
    }

    @Test func hidingGoesDownAChain() {
        var (a, b) = (Scribe(0xa), Scribe(0xb))
        a.declare()
        let (outer, inner, item) = (a.object(2), a.object(2, 1), a.object(2, 2))
        a.write(
            at: 2, SmallModel.insert(outer, "Box"), SmallModel.insert(inner, "Box", SmallModel.inside(outer)),
            SmallModel.insert(item, "Item", SmallModel.inside(inner)))
        b.write(at: 5, SmallModel.delete(outer, "Box"))
        let state = everyOrder(a.written + b.written)
        #expect(state.isHidden(inner) && state.isHidden(item))
    }

    @Test(arguments: [
        (Relationship.DeleteRule.nullify, ResolvedReference.null), (.deny, .dangling(Scribe(0xa).object(2))),
        (.noAction, .dangling(Scribe(0xa).object(2))),
    ])
    func aReferenceToADeletedObjectReadsByTheRule(rule: Relationship.DeleteRule, reads: ResolvedReference) {
        var (a, b, c) = (Scribe(0xa), Scribe(0xb), Scribe(0xc))
        a.declare(rule)
        a.write(at: 2, SmallModel.insert(a.object(2), "Box"))
        b.write(at: 5, SmallModel.delete(a.object(2), "Box"))
        c.write(at: 6, SmallModel.insert(c.object(1), "Item", SmallModel.inside(a.object(2))))
        let state = everyOrder(a.written + b.written + c.written)
        #expect(state.row(c.object(1))?[SmallModel.box] == .reference(reads))
    }

    @Test func aHigherDeclaredVersionChangesTheRuleWheneverItArrives() {
        var (a, b) = (Scribe(0xa), Scribe(0xb))
        a.declare(.nullify)
        a.write(
            at: 2, SmallModel.insert(a.object(2), "Box"),
            SmallModel.insert(a.object(2, 1), "Item", SmallModel.inside(a.object(2))))
        a.write(at: 3, SmallModel.delete(a.object(2), "Box"))
        #expect(everyOrder(a.written).isVisible(a.object(2, 1)))
        guard case .schema(var declaration) = SmallModel.schema(.cascade)[0] else { return }
        b.write(at: 1, .schema(declaration))
        #expect(everyOrder(a.written + b.written).isVisible(a.object(2, 1)) == false, "same version, the higher stamp")
        declaration.version = 0
        var c = Scribe(0xc)
        c.write(at: 9, .schema(declaration))
        #expect(everyOrder(a.written + c.written).isVisible(a.object(2, 1)), "a lower version does not count")
    }
}
