import Strandline
import Testing

@Suite struct PrefetchRequestTests {
    @Test(arguments: 31..<33 as Range<UInt64>) func relatedObjectsComeWithTheirs(seed: UInt64) async throws {
        var world = try await World(seed: seed)
        for _ in 0..<3 {
            try await world.step(20)
            try await world.meet()
        }
        let things = try world.memory.fetch(Thing.all)
        for store in [world.runs, world.memory] {
            let owned = try store.fetch(Thing.all.prefetching(\.owned))
            #expect(owned.map(\.object) == things)
            #expect(owned.allSatisfy { $0.related.map(\.id) == $0.object.owned.ids })
            for (_, related) in owned { for thing in related { #expect(things.contains(thing)) } }
            let partners = try store.snapshot().fetch(Thing.all.sorted(by: \.number).prefetching(\.partner))
            #expect(partners.allSatisfy { $0.related.map(\.id) == ($0.object.partner.map { [$0] } ?? []) })
            let all = try world.memory.fetch(Partner.all)
            for partner in partners.flatMap(\.related) { #expect(all.contains(partner)) }
            let labels = try store.fetch(Thing.all.prefetching(\.tags))
            #expect(labels.allSatisfy { $0.related.map(\.id) == $0.object.tags.ids })
        }
        #expect(things.contains { !$0.owned.isEmpty } && things.contains { $0.partner != nil })
        try await world.close()
    }

    /// Enough objects in each block for whole columns to be read.
    @Test func manyRelatedObjectsAreReadByColumns() async throws {
        let store = try await Store.open(
            .inMemory, Thing.self, Partner.self, Label.self, options: LiveStateRunsTests.options(memory: 1 << 20))
        try await store.write { tx in
            var owner: Thing.ID?
            for number in 0..<3_000 {
                var thing = Thing()
                thing.number = number
                thing.owner = number % 10 == 0 ? nil : owner
                let id = try tx.insert(thing).id
                if number % 10 == 0 { owner = id }
            }
        }
        try await store.compact()
        let owners = Thing.where { $0.owner == nil }
        let found = try store.fetch(owners.prefetching(\.owned))
        #expect(found.count == 300)
        for (owner, owned) in found { #expect(owned.map(\.number) == Array(owner.number + 1..<owner.number + 10)) }
        try await store.close()
    }
}
