import EventLog
import Projection
import Testing

/// Derived relationships, where the objects at either end are one by their key.
@Suite struct FoldStateRelationshipsTests {
    private static let team = Property("team", .reference)
    private static let lead = Property("leads", .reference)
    private static let schema: [Change] = [
        .schema(
            EntityDeclaration(
                name: "Team",
                fields: [
                    derived("people", through: "team", isToMany: true), derived("leader", through: "leads", isToMany: false),
                ], uniqueKey: ["name"])),
        .schema(
            EntityDeclaration(
                name: "Person", fields: [reference(team), reference(lead)], uniqueKey: ["name"])),
    ]

    private static func derived(_ name: String, through inverse: String, isToMany: Bool) -> FieldDeclaration {
        FieldDeclaration(
            Property(name, .edges),
            relationship: Relationship(
                target: "Person", inverse: inverse, isToMany: isToMany, deleteRule: .nullify, storage: .inverse))
    }

    /// Names no inverse: the field at the other end does.
    private static func reference(_ property: Property) -> FieldDeclaration {
        FieldDeclaration(
            property,
            relationship: Relationship(target: "Team", inverse: nil, isToMany: false, deleteRule: .nullify, storage: .register))
    }

    private func related(_ state: FoldState, _ id: ObjectID, _ name: String) -> [ObjectID] {
        state.schema.field(Property(name, .edges), of: WireName("Team")).map { state.related(to: id, through: $0) } ?? []
    }

    @Test func aDerivedToManyHoldsWhatRefersToAnyMemberAndEachOnce() {
        var (a, b, c) = (Scribe(0xa), Scribe(0xb), Scribe(0xc))
        a.write(at: 1, Self.schema[0], Self.schema[1], SmallModel.insert(a.object(1), "Team", SmallModel.named("t")))
        b.write(
            at: 2, SmallModel.insert(b.object(1), "Team", SmallModel.named("t")),
            SmallModel.insert(
                b.object(1, 1), "Person", SmallModel.named("p"), PropertyValue(Self.team, .reference(b.object(1)))))
        c.write(
            at: 3,
            SmallModel.insert(c.object(1), "Person", SmallModel.named("p"), PropertyValue(Self.team, .reference(a.object(1)))))
        c.write(
            at: 4,
            SmallModel.insert(c.object(2), "Person", SmallModel.named("q"), PropertyValue(Self.team, .reference(b.object(1)))))
        let state = everyOrder(a.written + b.written + c.written)
        #expect(state.representative(of: b.object(1)) == a.object(1))
        #expect(related(state, a.object(1), "people") == [b.object(1, 1), c.object(2)])
        #expect(related(state, b.object(1), "people") == [b.object(1, 1), c.object(2)])
    }

    @Test func aDerivedToOneTakesTheLatestReferrer() {
        var (a, b, c) = (Scribe(0xa), Scribe(0xb), Scribe(0xc))
        a.write(at: 1, Self.schema[0], Self.schema[1], SmallModel.insert(a.object(1), "Team", SmallModel.named("t")))
        b.write(at: 9, SmallModel.insert(b.object(1), "Person", PropertyValue(Self.lead, .reference(a.object(1)))))
        c.write(at: 5, SmallModel.insert(c.object(1), "Person", PropertyValue(Self.lead, .reference(a.object(1)))))
        #expect(related(everyOrder(a.written + b.written + c.written), a.object(1), "leader") == [b.object(1)])
        b.write(at: 10, SmallModel.delete(b.object(1), "Person"))
        #expect(related(everyOrder(a.written + b.written + c.written), a.object(1), "leader") == [c.object(1)])
    }
}
