import EventLog
import Simulation
import Storage
import Strandline
import Synchronization
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

    private struct Note: Entity, Equatable {
        var id = ID()
        var title = ""
        var number = 0
        static let schema = Schema<Self>("Note") {
            Field("title", \.title)
            Field("number", \.number)
        }
    }

    /// Reads of the files of runs, by where they begin.
    private final class RunReads: Sendable {
        struct Place: Hashable {
            let path: String
            let offset: UInt64
        }

        private let counts = Mutex<[Place: [Int]]>([:])

        func note(_ path: String, _ offset: UInt64, _ count: Int) {
            guard path.hasSuffix(".run") else { return }
            counts.withLock { $0[Place(path: path, offset: offset), default: []].append(count) }
        }

        func take() -> [Place: [Int]] {
            counts.withLock { counts in
                defer { counts = [:] }
                return counts
            }
        }
    }

    /// A block's heads, its ids among them, lie at its beginning: who finds the object there reads the block, who does not, no more.
    @Test func theFirstGetReadsOneBlock() async throws {
        let (files, reads) = (InMemoryFileSystem(), RunReads())
        var environment = Environment.inMemory()
        environment.fileSystem = HookedFileSystem(files, onRead: { reads.note($0, $1, $2) })
        let options = LiveStateRunsTests.options(memory: 1 << 22)
        var ids: [Note.ID] = []
        var store = try await Store.open(.environment("/store", environment), Note.self, options: options)
        for round in 0..<3 {
            ids += try await store.write { tx in
                try (0..<(2_000 >> round)).map { number in
                    var note = Note()
                    note.title = "note \(round).\(number)"
                    note.number = number
                    return try tx.insert(note).id
                }
            }.value
            let updated = ids[round]
            try await store.write { tx in try tx.update(updated) { $0.number = -1 } }
            try await store.close()
            store = try await Store.open(.environment("/store", environment), Note.self, options: options)
        }
        try await store.close()
        let runs = try files.list("/store/runs").filter { $0.hasSuffix(".run") }.count
        #expect(runs == 3)
        for place in [0, 1, 2, 700, 2_100, ids.count - 1] {
            store = try await Store.open(.environment("/store", environment), Note.self, options: options)
            _ = reads.take()
            let note = try store.get(ids[place])
            let found = reads.take()
            #expect(note?.id == ids[place])
            // The heads of a block are read first, and only where the object is, all of it: a second time from its beginning.
            #expect(found.values.count { $0.count > 1 } == 1, "object \(place): \(found)")
            #expect(found.count <= runs && found.values.allSatisfy { $0.count <= 2 }, "object \(place): \(found)")
            let again = try store.get(ids[place])
            #expect(again == note && reads.take().isEmpty, "the second time it is in memory")
            try await store.close()
        }
    }
}
