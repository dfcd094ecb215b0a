import Generators
import Storage
import Strandline
import Testing

/// Generators without Swift types: what each makes is what its check finds, the same from the same seed, and nothing else passes.
@Suite struct RowGeneratorTests {
    /// A generator, and the entity of the objects it makes first.
    struct Made: Sendable, CustomTestStringConvertible {
        let name: String
        let entity: String
        let make: @Sendable (_ count: Int, _ seed: UInt64) -> any Generator
        var testDescription: String { name }
    }

    static let all = [
        Made(name: "sparse", entity: "Sparse") { SparseGenerator(count: $0, seed: $1) },
        Made(name: "edges", entity: "EdgeCase") { EdgeCaseGenerator(count: $0, seed: $1) },
        Made(name: "graph", entity: "Node") { GraphGenerator(count: $0, seed: $1) },
        Made(name: "churn", entity: "Churn") { ChurnGenerator(steps: $0, seed: $1) },
        Made(name: "random", entity: "Random3_0") { RandomGenerator(steps: $0, seed: $1) },
        Made(name: "conflicts", entity: "Contested") { ConflictsGenerator(objects: $0, rounds: 2, seed: $1) },
    ]

    private func fill(_ made: Made, _ count: Int, seed: UInt64) async throws -> (Store, any Generator) {
        let store = try await openStore()
        let generator = made.make(count, seed)
        let progress = Steps()
        let result = try await generator.generate(into: store) { progress.add($0.objects) }
        #expect(result == generator.total && progress.values.last == count && progress.values == progress.values.sorted())
        return (store, generator)
    }

    @Test(arguments: all) func theSameSeedMakesTheSameContent(_ made: Made) async throws {
        var digests: [String] = []
        for seed in [3, 3, 4] as [UInt64] {
            let (store, generator) = try await fill(made, 300, seed: seed)
            try await generator.verify(in: store)
            try await store.compact()
            try await generator.verify(in: store)
            digests.append(try store.contentDigest())
            try await store.close()
        }
        #expect(digests[0] == digests[1] && digests[0] != digests[2])
    }

    /// Content that was once made by a seed is made by it for ever.
    @Test func digestsAreAsTheyWere() async throws {
        var found: [String: String] = [:]
        for made in Self.all {
            let (store, _) = try await fill(made, 200, seed: 1)
            found[made.name] = try store.contentDigest()
            try await store.close()
        }
        #expect(found == Self.digests)
    }

    private static let digests = [
        "churn": "409b30d816e208bc7a0b3b72e4211a05",
        "conflicts": "2733f9d519eeb5479239c5364c3d4af3",
        "edges": "f464d531b7a48f87d1376402f0feb355",
        "graph": "76eea09a72059a6365f7efd2ccd7851d",
        "random": "55bab2d4990e3b32bfc67d5d1d8e39cf",
        "sparse": "8e691e5cd5f943288dc18f271b4c5a01",
    ]

    /// One changed value, one more or one less object, and a seed that is there already.
    @Test(arguments: all) func whatDiffersIsFound(_ made: Made) async throws {
        let (store, generator) = try await fill(made, 300, seed: 3)
        let snapshot = try store.snapshot()
        func expectMismatch(_ change: @escaping @Sendable (WriteTransaction, Row) throws -> Void) async throws {
            let rows = try snapshot.rows(of: made.entity, limit: 40)
            let victim = try #require(rows.last { Self.field(of: $0) != nil } ?? rows.last)
            try await store.write { tx in try change(tx, victim) }
            let error = await #expect(throws: GeneratorError.self) { try await generator.verify(in: store) }
            #expect(error?.code == .mismatch)
            try await store.undoLast()
            try await generator.verify(in: store)
        }
        try await expectMismatch { tx, victim in try tx.delete(victim.id) }
        try await expectMismatch { tx, victim in try tx.update(victim.id, [PropertyValue(Property("number", .int), .int(-7))]) }
        try await expectMismatch { tx, victim in
            guard let field = Self.field(of: victim) else { return try tx.delete(victim.id) }
            let new: Value =
                switch field.type {
                case .string: .string("changed by somebody")
                case .int: .int(987_654_321)
                case .double: .double(0.123_456)
                case .date: .date(123.5)
                default: .bool(!(victim[field] == .value(.bool(true))))
                }
            try tx.update(victim.id, [PropertyValue(field, new)])
        }
        let twice = await #expect(throws: GeneratorError.self) { try await generator.generate(into: store) }
        #expect(twice?.code == .alreadyGenerated)
        try await generator.verify(in: store)
        let other = made.make(20, 9)
        try await other.generate(into: store)
        try await other.verify(in: store)
        try await generator.verify(in: store)
        try await store.close()
    }

    /// A property that an object has a value of, and is not found by.
    private static func field(of row: Row) -> Property? {
        row.fields.first { field in
            guard case .value(let value) = field.value, value != .null else { return false }
            return ![RowKey.seed, RowKey.number].contains(field.property.name)
                && [.string, .int, .bool, .double, .date].contains(field.property.type)
        }?.property
    }

    private enum RowKey { static let (seed, number) = ("seed", "number") }

    @Test(arguments: all.filter { $0.name != "conflicts" }) func cancellingStopsBetweenTransactions(_ made: Made) async throws {
        let store = try await openStore()
        let generator = made.make(5_000, 3)
        let task = Task {
            try await generator.generate(into: store) { summary in
                if summary.objects > 900 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        let written = try store.count(of: made.entity)
        #expect(written > 0 && written < 5_000)
        try await store.close()
    }
}

extension Store {
    /// Takes back the last transaction.
    fileprivate func undoLast() async throws {
        var last: (ReplicaID, UInt64)?
        for try await transaction in history() { last = (transaction.header.origin, transaction.header.sequence) }
        guard let last else { return }
        _ = try await undo(last.0, last.1)
    }
}
