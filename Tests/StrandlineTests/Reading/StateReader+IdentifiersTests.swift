import Strandline
import Testing

@Suite struct StateReaderIdentifiersTests {
    /// Of living, deleted and merged objects, in any order and more than once.
    @Test(arguments: 51..<53 as Range<UInt64>) func manyByIDAreThoseOneByOne(seed: UInt64) async throws {
        var world = try await World(seed: seed)
        var ids: Set<Thing.ID> = []
        for _ in 0..<4 {
            try await world.step(12)
            for store in [world.runs, world.memory] { ids.formUnion(try store.ids(of: Thing.all)) }
            try await world.meet()
        }
        let asked = Array(ids) + ids.prefix(5) + [Thing.ID()]
        let expected = try asked.map { try world.memory.get($0) }
        #expect(try world.runs.get(asked) == expected)
        #expect(try world.runs.snapshot().get(asked) == expected)
        #expect(try world.memory.get(asked) == expected)
        #expect(expected.contains(nil) && expected.contains { $0 != nil })
        // An object that is one with another answers to both ids.
        let answered = zip(asked, expected).filter { id, object in object.map { $0.id != id } ?? false }
        #expect(!answered.isEmpty)
        try await world.close()
    }
}
