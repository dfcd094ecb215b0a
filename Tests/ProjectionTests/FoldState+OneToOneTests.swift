import EventLog
import Projection
import Testing

/// Relationships that are to-one at both ends.
@Suite struct FoldStateOneToOneTests {
    private static let owner = Property("owner", .reference)

    /// Owners have one pet, which keeps the reference; `rule`: what becomes of it with its owner.
    private static func schema(_ rule: Relationship.DeleteRule = .nullify) -> [Change] {
        [
            .schema(
                EntityDeclaration(
                    name: "Owner",
                    fields: [
                        FieldDeclaration(
                            Property("pet", .reference),
                            relationship: Relationship(
                                target: "Pet", inverse: "owner", isToMany: false, deleteRule: rule, storage: .inverse))
                    ])),
            .schema(
                EntityDeclaration(
                    name: "Pet",
                    fields: [
                        FieldDeclaration(
                            owner,
                            relationship: Relationship(
                                target: "Owner", inverse: "pet", isToMany: false, deleteRule: .nullify, storage: .register))
                    ])),
        ]
    }

    private static func of(_ id: ObjectID) -> PropertyValue { PropertyValue(owner, .reference(id)) }

    /// What a write would make of the state: changes, and what they displace.
    private func write(_ changes: [Change], to state: inout FoldState, at time: UInt64) throws -> [Change] {
        let displaced = state.displaced(by: changes)
        carryOut(changes, to: &state, at: time)
        let released = try state.planRelease(displaced)
        carryOut(released, to: &state, at: time)
        return released
    }

    private func pet(of id: ObjectID, _ state: FoldState) -> [ObjectID] {
        state.schema.field(Property("pet", .reference), of: WireName("Owner")).map { state.related(to: id, through: $0) } ?? []
    }

    private func owner(of id: ObjectID, _ state: FoldState) -> ResolvedValue? { state.row(id)?[Self.owner] }

    /// Two owners and two pets, the first pet the first owner's.
    private func world(_ rule: Relationship.DeleteRule = .nullify) -> (state: FoldState, owners: [ObjectID], pets: [ObjectID]) {
        var a = Scribe(0xa)
        let (owners, pets) = ([a.object(1, 0), a.object(1, 1)], [a.object(1, 2), a.object(1, 3)])
        a.write(
            at: 1, Self.schema(rule)[0], Self.schema(rule)[1], SmallModel.insert(owners[0], "Owner"),
            SmallModel.insert(owners[1], "Owner"), SmallModel.insert(pets[0], "Pet", Self.of(owners[0])),
            SmallModel.insert(pets[1], "Pet"))
        return (ReferenceFold.fold(a.written), owners, pets)
    }

    /// Both pets refer to the first owner, written without knowledge of each other; the second one later.
    private func rivals(
        _ rule: Relationship.DeleteRule = .nullify
    ) throws -> (state: FoldState, owners: [ObjectID], pets: [ObjectID]) {
        var (state, owners, pets) = world(rule)
        carryOut(try state.planUpdate(pets[1], [Self.of(owners[0])]), to: &state, at: 5)
        return (state, owners, pets)
    }

    @Test func aSecondReferenceTakesThePlaceOfTheFirst() throws {
        var (state, owners, pets) = world()
        let released = try write(try state.planUpdate(pets[1], [Self.of(owners[0])]), to: &state, at: 5)
        #expect(released.map(\.object) == [pets[0]])
        #expect(state.objects[pets[0]]?.current.registers[Self.owner]?.value == .null)
        #expect(pet(of: owners[0], state) == [pets[1]])
        // So does that of a new object, and of one that is restored.
        let new = Scribe(0xc).object(1)
        #expect(try write([SmallModel.insert(new, "Pet", Self.of(owners[0]))], to: &state, at: 6).map(\.object) == [pets[1]])
        _ = try write(try state.planDelete([new]), to: &state, at: 7)
        _ = try write(try state.planUpdate(pets[0], [Self.of(owners[0])]), to: &state, at: 8)
        let restored = try state.planRestore(new, entity: WireName("Pet"), [Self.of(owners[0])])
        #expect(try write(restored, to: &state, at: 9).map(\.object) == [pets[0]])
        #expect(pet(of: owners[0], state) == [new])
    }

    @Test func changesOfOneStepThatExchangePartnersDisplaceNothing() throws {
        var (state, owners, pets) = world()
        _ = try write(try state.planUpdate(pets[1], [Self.of(owners[1])]), to: &state, at: 5)
        let exchange = try state.planUpdate(pets[0], [Self.of(owners[1])]) + state.planUpdate(pets[1], [Self.of(owners[0])])
        #expect(try write(exchange, to: &state, at: 6) == [])
        #expect(owners.map { pet(of: $0, state) } == [[pets[1]], [pets[0]]])
    }

    @Test func ofConcurrentReferencesTheLatestIsReadAtBothEnds() throws {
        let (state, owners, pets) = try rivals()
        #expect(pet(of: owners[0], state) == [pets[1]])
        #expect(owner(of: pets[1], state) == .reference(.object(owners[0])))
        #expect(owner(of: pets[0], state) == .reference(.null))
        #expect(state.schema.field(Self.owner, of: WireName("Pet")).map { state.related(to: pets[0], through: $0) } == [])
    }

    @Test func whoLostComesBackNeitherByItselfNorWhenTheOtherIsTakenAway() throws {
        var (state, owners, pets) = try rivals()
        let released = try write(try state.planUpdate(pets[1], [PropertyValue(Self.owner, .null)]), to: &state, at: 9)
        #expect(released.map(\.object) == [pets[0]])
        #expect(pet(of: owners[0], state) == [])
        // Setting what does not read so is a change, although the register has it.
        (state, owners, pets) = try rivals()
        let again = try state.planUpdate(pets[0], [Self.of(owners[0])])
        #expect(again.count == 1)
        #expect(try write(again, to: &state, at: 9).map(\.object) == [pets[1]])
        #expect(pet(of: owners[0], state) == [pets[0]])
        // Emptying the one that lost leaves the other alone.
        (state, owners, pets) = try rivals()
        #expect(try write(try state.planUpdate(pets[0], [PropertyValue(Self.owner, .null)]), to: &state, at: 9) == [])
        #expect(pet(of: owners[0], state) == [pets[1]])
    }

    @Test func aDeleteTakesAlongWhatReadsAsOwned() throws {
        var (state, owners, pets) = try rivals(.cascade)
        carryOut(try state.planDelete([owners[0]]), to: &state, at: 9)
        #expect(!state.isAlive(pets[1]) && state.isVisible(pets[0]))
        (state, owners, pets) = try rivals(.deny)
        let error = #expect(throws: ProjectionError.self) { try state.planDelete([owners[0]]) }
        #expect(error?.objects == [owners[0], pets[1]])
    }

    @Test func everyOrderReadsTheSame() {
        var (a, b, c) = (Scribe(0xa), Scribe(0xb), Scribe(0xc))
        a.write(at: 1, Self.schema()[0], Self.schema()[1], SmallModel.insert(a.object(1), "Owner"))
        b.write(at: 5, SmallModel.insert(b.object(1), "Pet", Self.of(a.object(1))))
        c.write(at: 5, SmallModel.insert(c.object(1), "Pet", Self.of(a.object(1))))
        let state = everyOrder(a.written + b.written + c.written)
        #expect(pet(of: a.object(1), state) == [c.object(1)])
        #expect(
            [b.object(1), c.object(1)].map { owner(of: $0, state) } == [.reference(.null), .reference(.object(a.object(1)))])
    }
}
