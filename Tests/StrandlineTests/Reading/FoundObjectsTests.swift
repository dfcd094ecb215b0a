import Projection
import Storage
import Strandline
import Testing

/// What is read from blocks of runs is what is read from records in memory.
@Suite struct FoundObjectsTests {
    private func requests() -> [FetchRequest<Thing>] {
        [
            Thing.all, Thing.all.sorted(by: \.number, .descending), Thing.where { $0.maybe == nil },
            Thing.all.sorted(by: \.name).sorted(by: \.moment).offset(3).limit(9),
            Thing.where { $0.owner.number > 40 || $0.likes > 3 }, Thing.where { !$0.owned.isEmpty }.limit(7),
            Thing.where { $0.name.contains("1") }.sorted(by: \.maybe), Thing.all.limit(0), Thing.all.offset(10_000),
        ]
    }

    @Test(arguments: 0..<3 as Range<UInt64>) func objectsOfRunsAreThoseOfRecords(seed: UInt64) async throws {
        var world = try await World(seed: seed)
        var irregular = 0
        for _ in 0..<3 {
            try await world.step(20)
            try await world.meet()
            #expect(try world.runs.digest() == world.memory.digest())
            for request in requests() {
                let (found, expected) = (try world.runs.fetch(request), try world.memory.fetch(request))
                #expect(found == expected, "seed \(seed): \(request.filter)")
                #expect(try world.runs.ids(of: request) == expected.map(\.id))
            }
            for thing in try world.memory.fetch(Thing.all) {
                #expect(try world.runs.get(thing.id) == thing)
                #expect(try world.runs.row(thing.id.object) == world.memory.row(thing.id.object))
            }
            try expectSameColumns(world)
            #expect(try world.runs.fetch(Partner.all) == world.memory.fetch(Partner.all))
            #expect(try world.runs.fetch(Label.all) == world.memory.fetch(Label.all))
            irregular += try world.memory.fetch(Thing.all).count { $0.owned.count > 1 }
        }
        let files = try world.environment.fileSystem.list("/runs/runs").filter { $0.hasSuffix(".run") }
        #expect(!files.isEmpty && irregular > 0)
        try await world.close()
    }

    /// Tuples and rows without types, of both stores and of a snapshot, have what the objects have.
    private func expectSameColumns(_ world: World) throws {
        let objects = try world.memory.fetch(Thing.all.sorted(by: \.number))
        let expected = objects.map { "\($0.name) \($0.maybe ?? -1) \($0.number)" }
        let selection = Thing.all.sorted(by: \.number).select(\.name, \.maybe, \.number)
        let snapshot = try world.runs.snapshot()
        for tuples in [try world.runs.fetch(selection), try world.memory.fetch(selection), try snapshot.fetch(selection)] {
            #expect(tuples.map { "\($0.0) \($0.1 ?? -1) \($0.2)" } == expected)
        }
        let sort = [SortKey(PropertyPath("number"))]
        let rows = try world.runs.rows(of: "Thing", sortedBy: sort)
        #expect(rows == objects.compactMap { try? world.memory.row($0.id.object) })
        let chosen = try snapshot.rows(of: "Thing", sortedBy: sort, properties: ["name", "likes", "owner", "owned"])
        for (row, part) in zip(rows, chosen) {
            #expect(part.id == row.id)
            #expect(part.fields == row.fields.filter { ["name", "likes", "owner"].contains($0.property.name) })
        }
        #expect(chosen.count == objects.count)
        for object in objects { #expect(try snapshot.get(object.id) == object) }
    }

    /// More blocks than one thread is given, in an order that goes to and fro between them.
    @Test func manyObjectsOfFewBlocksComeInTheirOrder() async throws {
        var options = LiveStateRunsTests.options(memory: 200_000)
        options.projection.cache = 8 << 20
        let store = try await Store.open(.inMemory, Thing.self, Partner.self, Label.self, options: options)
        try await store.write { tx in
            for number in 0..<9_000 {
                var thing = Thing()
                thing.name = "thing \(number)"
                thing.number = (number * 7_919) % 9_000
                _ = try tx.insert(thing)
            }
        }
        try await store.compact()
        let found = try store.fetch(Thing.all.sorted(by: \.number))
        #expect(found.map(\.number) == Array(0..<9_000))
        #expect(found.allSatisfy { $0.name == "thing \(($0.number * 4_679) % 9_000)" })
        for thing in found.prefix(50) { #expect(try store.get(thing.id) == thing) }
        try await store.close()
    }

    @Test func textsAreSortedAsPeopleLookForThem() async throws {
        let store = try await Store.open(.inMemory, Thing.self, Partner.self, Label.self)
        let names = ["zebra", "Zebra", "apple", "Äpfel", "École", "ecole", "apples", "", "Äpfel", "e\u{301}cole"]
        try await store.write { tx in
            for name in names {
                var thing = Thing()
                thing.name = name
                _ = try tx.insert(thing)
            }
        }
        let sorted = ["", "Äpfel", "Äpfel", "apple", "apples", "ecole", "École", "école", "Zebra", "zebra"]
        #expect(try store.fetch(Thing.all.sortedAsText(by: \.name)).map(\.name) == sorted)
        #expect(try store.fetch(Thing.all.sortedAsText(by: \.name, .descending)).map(\.name) == sorted.reversed())
        #expect(try store.fetch(Thing.all.sortedAsText(by: \.name).limit(4)).map(\.name) == Array(sorted.prefix(4)))
        try await store.close()
    }
}
