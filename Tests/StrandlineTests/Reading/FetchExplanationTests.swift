import Projection
import Strandline
import Testing

@Suite struct FetchExplanationTests {
    // Apart from the tests, as in StoreSelectedTests.
    private func coded(_ code: String) -> FetchRequest<Thing> { Thing.where { $0.code == code } }
    private func owned(by id: Thing.ID) -> FetchRequest<Thing> { Thing.where { $0.owner == id && $0.number >= 0 } }
    private func itself(_ id: Thing.ID) -> FetchRequest<Thing> { Thing.where { $0.id == id } }
    private func partners(of id: Thing.ID) -> FetchRequest<Partner> { Partner.where { $0.thing == id } }
    private func numbered(above number: Int) -> FetchRequest<Thing> { Thing.where { $0.number > number } }

    /// What is found by id, key or reference is what a look at every object finds.
    @Test(arguments: 10..<11 as Range<UInt64>) func shortCutsFindWhatScansFind(seed: UInt64) async throws {
        var world = try await World(seed: seed)
        for _ in 0..<3 {
            try await world.step(20)
            try await world.meet()
        }
        let things = try world.memory.fetch(Thing.all)
        let all = try world.memory.fetch(Partner.all)
        for store in [world.runs, world.memory] {
            for thing in things {
                #expect(try store.fetch(itself(thing.id)) == [thing])
                #expect(try store.fetch(owned(by: thing.id)) == things.filter { $0.owner == thing.id && $0.number >= 0 })
                #expect(try store.fetch(partners(of: thing.id)) == all.filter { $0.thing == thing.id })
                #expect(try store.explain(owned(by: thing.id)).access == .reference("owner"))
                #expect(try store.explain(itself(thing.id)).access == .id)
                let two = try Filter(
                    "SELF IN {'\(thing.id.object.uri(entity: "Thing"))', '\(things[0].id.object.uri(entity: "Thing"))'}")
                let found = try store.fetch(FetchRequest<Thing>(two)).map(\.id)
                #expect(found == Set([thing.id, things[0].id]).sorted { $0.object < $1.object })
                #expect(try store.snapshot().explain(of: "Thing", where: two).access == .id)
                guard let code = thing.code else { continue }
                #expect(try store.fetch(coded(code)) == [thing] && store.count(coded(code)) == 1)
                #expect(try store.explain(coded(code)).access == .uniqueKey(["code"]))
            }
            #expect(try store.fetch(coded("nobody's")).isEmpty)
        }
        #expect(things.contains { $0.code != nil } && things.contains { !$0.owned.isEmpty })
        try await world.close()
    }

    @Test func textsWithDoublesAreLookedForAmongAll() async throws {
        let store = try await Store.open(.inMemory, Thing.self, Partner.self, Label.self)
        try await store.write { tx in
            for code in ["\u{212A}", "e\u{301}", "a", "\u{37e}"] {
                var thing = Thing()
                thing.code = code
                _ = try tx.insert(thing)
            }
        }
        for (code, access) in [("K", FetchExplanation.Access.scan), ("é", .scan), (";", .scan), ("a", .uniqueKey(["code"]))] {
            #expect(try store.fetch(coded(code)).count == 1, "\(code)")
            #expect(try store.explain(coded(code)).access == access)
        }
        try await store.close()
    }

    /// A key of two parts, one of them a number that equals others stored differently.
    private struct Parcel: Entity {
        var id = ID()
        var sender = 0
        var number = 0
        var weight = 0.0
        static let schema = Schema<Self>("Parcel") {
            Field("sender", \.sender)
            Field("number", \.number)
            Field("weight", \.weight)
            Unique(\.sender, \.number)
        }
    }

    /// An object with a number for its key.
    private struct Weight: Entity {
        var id = ID()
        var grams = 0.0
        static let schema = Schema<Self>("Weight") { Field("grams", \.grams, .unique) }
    }

    @Test func onlyAWholeKeyOfItsOwnTypeIsLookedUp() async throws {
        let store = try await Store.open(.inMemory, Parcel.self, Weight.self)
        try await store.write { tx in
            for number in 0..<6 {
                var parcel = Parcel()
                parcel.sender = number / 3
                parcel.number = number % 3
                parcel.weight = Double(number)
                _ = try tx.insert(parcel)
            }
            var weight = Weight()
            weight.grams = -0.0
            _ = try tx.insert(weight)
        }
        let whole = FetchExplanation.Access.uniqueKey(["sender", "number"])
        let cases: [(entity: String, text: String, access: FetchExplanation.Access, found: Int)] = [
            ("Parcel", "sender == 1 AND number == 2", whole, 1), ("Parcel", "number == 2 AND 1 == sender", whole, 1),
            ("Parcel", "sender == 1 AND number == 2 AND weight > 100", whole, 0),
            ("Parcel", "sender == 1 AND number == 2.0", .scan, 1), ("Parcel", "sender == 1", .scan, 3),
            ("Parcel", "sender == 1 OR number == 2", .scan, 4), ("Parcel", "NOT (sender == 1 AND number == 2)", .scan, 5),
            ("Weight", "grams == 0", .scan, 1), ("Weight", "grams == 0.0", .scan, 1),
        ]
        let snapshot = try store.snapshot()
        for (entity, text, access, found) in cases {
            let explained = try snapshot.explain(of: entity, where: try Filter(text))
            #expect(explained.found == found && explained.access == access, "\(text): \(explained)")
        }
        try await store.close()
    }

    @Test func aScanTellsWhatItReadAndPassedOver() async throws {
        let store = try await Store.open(
            .inMemory, Thing.self, Partner.self, Label.self, options: LiveStateRunsTests.options(memory: 1 << 20))
        try await store.write { tx in
            for number in 0..<9_000 {
                var thing = Thing()
                thing.number = number
                _ = try tx.insert(thing)
            }
        }
        try await store.compact()
        let last = try #require(try store.ids(of: Thing.all).last)
        try await store.write { tx in try tx.update(last) { $0.number = -1 } }
        let explained = try store.explain(numbered(above: 8_500))
        #expect(explained.access == .scan && explained.found == 498 && explained.columns == ["number"])
        #expect(explained.blocksRead == 1 && explained.blocksSkipped == 2)
        #expect(explained.rowsInBlocks == 9_000 - 2 * 4_096 && explained.rowsInMemory == 1 && explained.rowsIrregular == 0)
        // Its numbers, and its ids.
        #expect(explained.columnsRead == 2)
        let text = explained.description
        for part in ["498 objects found by a scan", "1 read, 2 passed over", "number > 8500"] { #expect(text.contains(part)) }
        #expect(try store.snapshot().explain(of: "Thing", where: try Filter("number > 8500")) == explained)
        try await store.close()
    }
}
