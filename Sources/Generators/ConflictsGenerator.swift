import EventLog
import Projection
public import Strandline

/// Makes concurrent edits of the same objects on several replicas: in every round each replica changes all objects before they meet.
///
/// ```swift
/// let conflicts = ConflictsGenerator(objects: 100, rounds: 3)
/// try await conflicts.generate(into: [left, right]) { try await $0.sync(with: .store(path: $1)) }
/// ```
///
/// Registers are written by all, so that one of those who wrote in the last round wins; counters and edges are added to by all, so
/// that nothing is lost. With one store it makes what one replica makes.
public struct ConflictsGenerator: Generator {
    public var objects: Int
    public var rounds: Int
    public var seed: UInt64

    static let entity = "Contested"
    private static let text = Property("text", .string)
    private static let tally = Property("tally", .counter)

    public init(objects: Int = 100, rounds: Int = 3, seed: UInt64 = 1) {
        precondition(objects >= 0 && rounds >= 0, "numbers of objects and rounds cannot be negative")
        (self.objects, self.rounds, self.seed) = (objects, rounds, seed)
    }

    public var total: GenerationSummary { GenerationSummary(objects: objects) }

    private static let declaration = RowKey.declaration(
        entity,
        [
            FieldDeclaration(text), FieldDeclaration(tally),
            FieldDeclaration(
                Property("friends", .edges),
                relationship: Relationship(
                    target: entity, inverse: nil, isToMany: true, deleteRule: .nullify, storage: .edges)),
        ])

    public func generate(
        into store: Store, progress: @escaping @Sendable (GenerationSummary) -> Void
    ) async throws -> GenerationSummary {
        try await generate(into: [store], progress: progress) { _ in }
    }

    /// Makes the objects in the first store, and has all of them edited in each, round by round.
    ///
    /// - Parameter meet: lets every store have what the others have; called before the first round, and after each.
    @discardableResult
    public func generate(
        into stores: [Store], progress: @escaping @Sendable (GenerationSummary) -> Void = { _ in },
        meet: ([Store]) async throws -> Void
    ) async throws -> GenerationSummary {
        precondition(!stores.isEmpty, "conflicts need a replica")
        try await make(in: stores[0])
        try await meet(stores)
        for round in 0..<rounds {
            for (replica, store) in stores.enumerated() { try await edit(as: replica, round, in: store) }
            try await meet(stores)
            progress(GenerationSummary(objects: objects * (round + 1) / max(1, rounds)))
        }
        return total
    }

    private func make(in store: Store) async throws {
        try await GeneratorError.refusingTwice(seed) {
            try await store.write(author: "generator") { tx in
                try tx.declare(Self.declaration)
                for number in 0..<objects {
                    let values = [PropertyValue(Self.text, .string("made")), PropertyValue(Self.tally, .counter(0))]
                    try tx.insert(Self.entity, RowKey.values(seed, number) + values)
                }
            }
        }
    }

    private func edit(as replica: Int, _ round: Int, in store: Store) async throws {
        try Task.checkCancellation()
        let ids = try RowKey.rows(Self.entity, seed, 0..<objects, in: store).map(\.id)
        guard ids.count == objects else {
            throw GeneratorError(
                .mismatch, "replica \(replica) has \(ids.count) of \(objects) objects in round \(round); let them meet first")
        }
        try await store.write(author: "replica \(replica)") { tx in
            for (number, id) in ids.enumerated() {
                try tx.update(id, [PropertyValue(Self.text, .string(text(round, replica)))])
                try tx.increment(id, "tally", by: amount(number, round, replica))
                if let friend = friend(of: number, round, replica) {
                    try tx.setEdge(id, "friends", ids[friend], isPresent: true)
                }
            }
        }
    }

    private func text(_ round: Int, _ replica: Int) -> String { "round \(round), replica \(replica)" }

    private func amount(_ number: Int, _ round: Int, _ replica: Int) -> Int64 {
        var words = SeededWords(seed: seed, 17, UInt64(number), UInt64(round), UInt64(replica))
        return Int64(words.next() % 1_000) - 300
    }

    private func friend(of number: Int, _ round: Int, _ replica: Int) -> Int? {
        var words = SeededWords(seed: seed, 18, UInt64(number), UInt64(round), UInt64(replica))
        let friend = Int(words.next() % UInt64(objects))
        return friend == number ? nil : friend
    }

    public func verify(
        in store: Store, progress: @escaping @Sendable (GenerationSummary) -> Void
    ) async throws -> GenerationSummary {
        try verify(in: store, replicas: 1, progress: progress)
    }

    /// Checks what the edits of so many replicas come to, in any of them.
    @discardableResult
    public func verify(
        in store: Store, replicas: Int, progress: @Sendable (GenerationSummary) -> Void = { _ in }
    ) throws -> GenerationSummary {
        let rows = try RowKey.rows(Self.entity, seed, 0..<objects, in: store)
        guard rows.compactMap(RowKey.number(of:)) == Array(0..<objects) else {
            throw GeneratorError(.mismatch, "there are \(rows.count) of \(objects) contested objects of seed \(seed)")
        }
        let allowed = rounds == 0 ? ["made"] : (0..<replicas).map { text(rounds - 1, $0) }
        var summary = GenerationSummary()
        for (number, row) in rows.enumerated() {
            try Task.checkCancellation()
            guard case .value(.string(let text))? = row[Self.text], allowed.contains(text) else {
                throw GeneratorError(.mismatch, "object \(number) (\(row.id)) has a text that nobody gave it in the last round")
            }
            var sum: Int64 = 0
            var friends: Set<ObjectID> = []
            for round in 0..<rounds {
                for replica in 0..<replicas {
                    sum += amount(number, round, replica)
                    if let friend = friend(of: number, round, replica) { friends.insert(rows[friend].id) }
                }
            }
            guard row[Self.tally] == .value(.counter(sum)) else {
                throw GeneratorError(
                    .mismatch,
                    "object \(number) (\(row.id)) lacks additions to its counter, or has some twice; they come to \(sum)")
            }
            guard try store.related(to: row.id, by: "friends") == friends.sorted() else {
                throw GeneratorError(
                    .mismatch, "object \(number) (\(row.id)) has not just the \(friends.count) friends that it was given")
            }
            summary.objects += 1
            progress(summary)
        }
        return summary
    }
}
