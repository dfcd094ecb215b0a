import EventLog
import Projection
import Testing

/// Objects that are one by their unique key, each case in every order of delivery.
@Suite struct FoldStateKeysTests {
    /// Three replicas each made a tag "x".
    private func three() -> (schema: Scribe, a: Scribe, b: Scribe, c: Scribe) {
        var (schema, a, b, c) = (Scribe(0x1), Scribe(0xa), Scribe(0xb), Scribe(0xc))
        schema.declare()
        a.write(
            at: 9, SmallModel.insert(a.object(1), "Tag", SmallModel.named("x"), PropertyValue(SmallModel.count, .counter(1))))
        b.write(at: 8, SmallModel.insert(b.object(1), "Tag", SmallModel.named("x")))
        c.write(
            at: 9, SmallModel.insert(c.object(1), "Tag", SmallModel.named("x"), PropertyValue(SmallModel.count, .counter(5))))
        return (schema, a, b, c)
    }

    /// A rival that is hidden with its owner is only out of sight: it comes back without a change of its own.
    @Test func aHiddenRivalIsNotForgotten() {
        let album = Property("album", .reference)
        let declarations = [
            EntityDeclaration(
                name: "Album",
                fields: [
                    FieldDeclaration(
                        Property("photos", .edges),
                        relationship: Relationship(
                            target: "Photo", inverse: "album", isToMany: true, deleteRule: .cascade, storage: .inverse))
                ]),
            EntityDeclaration(
                name: "Photo",
                fields: [
                    FieldDeclaration(SmallModel.name),
                    FieldDeclaration(
                        album,
                        relationship: Relationship(
                            target: "Album", inverse: "photos", isToMany: false, deleteRule: .nullify, storage: .register)),
                ], uniqueKey: ["name"]),
        ]
        let a = Scribe(0xa)
        let (owner, hidden, rival) = (a.object(2), a.object(2, 1), a.object(2, 2))
        let before: [Change] =
            declarations.map { .schema($0) } + [
                SmallModel.insert(owner, "Album"),
                SmallModel.insert(hidden, "Photo", SmallModel.named("x"), PropertyValue(album, .reference(owner))),
                .delete(object: owner, entity: "Album", length: 2, seen: []),
                SmallModel.insert(rival, "Photo", SmallModel.named("x")),
            ]
        let restored = Change.restore(object: owner, entity: "Album", length: 3, values: [])
        let stamp = Stamp(timestamp: Timestamp(milliseconds: 5), replica: a.id)
        for prunes in [false, true] {
            for start in [FoldState(), .tracking] {
                var state = start
                for change in before { state.apply(change, stamp: stamp) }
                #expect(state.members(of: rival) == [rival] && state.members(of: hidden).isEmpty)
                if prunes { state.pruneIrregular() }
                state.apply(restored, stamp: stamp)
                #expect(state.members(of: rival) == [hidden, rival])
                #expect(state.members(of: hidden) == [hidden, rival])
            }
        }
    }

    @Test func theOldestStandsForAllAndExplicitWritesComeFirst() {
        var (schema, a, b, c) = three()
        #expect(
            everyOrder(schema.written + a.written + b.written + c.written).description
                == #"Tag 0000000b/1.0 + 0000000a/1.0 + 0000000c/1.0, count: #5, name: "x", items: []"#)
        a.write(
            at: 10,
            .update(
                object: a.object(1), entity: "Tag", length: 1,
                assignments: [Assignment(SmallModel.count, new: .counter(2), old: nil, overwrote: nil)]))
        b.write(at: 11, SmallModel.add(3, to: b.object(1), "Tag"))
        c.write(at: 12, SmallModel.add(4, to: c.object(1), "Tag"))
        let state = ReferenceFold.fold(schema.written + a.written + b.written + c.written)
        #expect(state.row(c.object(1))?[SmallModel.count] == .value(.counter(9)))
        #expect(state.row(c.object(1))?.id == b.object(1))
        #expect(state.lookup(WireName("Tag"), key: [.string("x")]) == b.object(1))
    }

    @Test func anExplicitWriteBeatsALaterInsert() {
        var (schema, a, b) = (Scribe(0x1), Scribe(0xa), Scribe(0xb))
        schema.declare()
        let note = Property("note", .string)
        a.write(at: 1, SmallModel.insert(a.object(1), "Tag", SmallModel.named("x")))
        a.write(
            at: 2,
            .update(
                object: a.object(1), entity: "Tag", length: 1,
                assignments: [Assignment(note, new: .string("said"), old: nil, overwrote: nil)]))
        b.write(at: 9, SmallModel.insert(b.object(1), "Tag", SmallModel.named("x"), PropertyValue(note, .string("default"))))
        let state = everyOrder(schema.written + a.written + b.written)
        #expect(state.row(b.object(1))?[note] == .value(.string("said")))
    }

    @Test func aMemberDeletedLeavesTheOthers() {
        var (schema, a, b, c) = three()
        b.write(at: 20, SmallModel.delete(b.object(1), "Tag"))
        let state = everyOrder(schema.written + a.written + b.written + c.written)
        #expect(state.members(of: c.object(1)) == [a.object(1), c.object(1)])
        #expect(state.representative(of: c.object(1)) == a.object(1), "equal creation times: the lower id")
        b.write(at: 21, SmallModel.restore(b.object(1), "Tag", SmallModel.named("x")))
        let restored = ReferenceFold.fold(schema.written + a.written + b.written + c.written)
        #expect(restored.members(of: a.object(1)).count == 3)
        #expect(restored.representative(of: b.object(1)) == a.object(1), "who comes back stands behind")
    }

    @Test func aMemberRekeyedLeavesTheGroup() {
        var (schema, a, b, c) = three()
        c.write(at: 20, SmallModel.rename(c.object(1), "Tag", "y"))
        let state = everyOrder(schema.written + a.written + b.written + c.written)
        #expect(state.members(of: a.object(1)) == [a.object(1), b.object(1)])
        #expect(state.lookup(WireName("Tag"), key: [.string("y")]) == c.object(1))
    }

    @Test func aRekeyAndADeleteAreWrittenToEveryMemberTheWriterSaw() throws {
        let (schema, a, b, c) = three()
        let state = ReferenceFold.fold(schema.written + a.written + b.written + c.written)
        let rekey = try state.planUpdate(c.object(1), [SmallModel.named("y")])
        #expect(rekey.compactMap(\.object) == [a.object(1), b.object(1), c.object(1)])
        let delete = try state.planDelete([a.object(1)])
        #expect(delete.compactMap(\.object) == [a.object(1), b.object(1), c.object(1)])
        let other = try state.planUpdate(c.object(1), [PropertyValue(Property("note", .string), .string("n"))])
        #expect(other.compactMap(\.object) == [b.object(1)])
    }

    @Test func referencesAndEdgesToAnyMemberMeanTheRepresentative() {
        var (schema, a, b, c) = three()
        let item = c.object(2)
        c.write(at: 20, SmallModel.insert(item, "Item"), SmallModel.tag(item, c.object(1)), SmallModel.tag(item, a.object(1)))
        let state = everyOrder(schema.written + a.written + b.written + c.written)
        #expect(state.edges(from: item, SmallModel.tags) == [b.object(1)])
        #expect(state.edges(to: a.object(1), SmallModel.tags, in: WireName("Item")) == [item])
        b.write(at: 30, SmallModel.delete(b.object(1), "Tag"))
        let later = ReferenceFold.fold(schema.written + a.written + b.written + c.written)
        #expect(later.edges(from: item, SmallModel.tags) == [a.object(1)])
    }

    @Test func anIncompleteKeyAndAnotherTypeJoinNothing() {
        var (schema, a, b, c) = (Scribe(0x1), Scribe(0xa), Scribe(0xb), Scribe(0xc))
        schema.declare()
        a.write(at: 1, SmallModel.insert(a.object(1), "Tag", PropertyValue(SmallModel.name, .null)))
        b.write(at: 2, SmallModel.insert(b.object(1), "Tag", PropertyValue(SmallModel.name, .null)))
        c.write(at: 3, SmallModel.insert(c.object(1), "Tag", PropertyValue(Property("name", .int), .int(1))))
        let state = everyOrder(schema.written + a.written + b.written + c.written)
        #expect(state.objects(of: WireName("Tag")).count == 3)
    }
}
