import EventLog
import Projection
import Storage
public import Strandline

/// Makes objects with many relationships: one chain as deep as there are objects of the first half, one parent of all of the second half,
/// and edges between any of them.
///
/// Object 0 begins the chain, and is the parent of the second half as well.
public struct GraphGenerator: Generator {
    public var count: Int
    /// How many edges begin at an object, on average.
    public var edges: Int
    public var seed: UInt64
    public var batch = 500

    static let entity = "Node"
    private static let parent = Property("parent", .reference)
    private static let links = Property("links", .edges)

    public init(count: Int = 1_000, edges: Int = 4, seed: UInt64 = 1) {
        precondition(count >= 0 && edges >= 0, "numbers of objects and edges cannot be negative")
        (self.count, self.edges, self.seed) = (count, edges, seed)
    }

    public var total: GenerationSummary { GenerationSummary(objects: count) }

    private static let declaration = RowKey.declaration(
        entity,
        [
            FieldDeclaration(
                parent, isOptional: true,
                relationship: Relationship(
                    target: entity, inverse: "children", isToMany: false, deleteRule: .nullify, storage: .register)),
            FieldDeclaration(
                Property("children", .edges),
                relationship: Relationship(
                    target: entity, inverse: "parent", isToMany: true, deleteRule: .cascade, storage: .inverse)),
            FieldDeclaration(
                links,
                relationship: Relationship(
                    target: entity, inverse: nil, isToMany: true, deleteRule: .nullify, storage: .edges)),
        ])

    /// Whose child an object is.
    func parent(of number: Int) -> Int? {
        if number == 0 { return nil }
        return number <= count / 2 ? number - 1 : 0
    }

    /// Where the edges of an object end, ascending: at objects with lower numbers.
    func links(of number: Int) -> [Int] {
        guard number > 0 else { return [] }
        var words = SeededWords(seed: seed, 13, UInt64(number))
        let count = edges == 0 ? 0 : Int(words.next() % UInt64(2 * edges + 1))
        return Set((0..<count).map { _ in Int(words.next() % UInt64(number)) }).sorted()
    }

    public func generate(
        into store: Store, progress: @escaping @Sendable (GenerationSummary) -> Void
    ) async throws -> GenerationSummary {
        var summary = GenerationSummary()
        var ids: [ObjectID] = []
        ids.reserveCapacity(count)
        while ids.count < count {
            try Task.checkCancellation()
            let known = ids
            let numbers = known.count..<min(count, known.count + max(1, batch))
            do {
                ids = try await store.write(author: "generator") { tx in
                    try tx.declare(Self.declaration)
                    var all = known
                    for number in numbers {
                        let parent = parent(of: number).map { PropertyValue(Self.parent, .reference(all[$0])) }
                        let id = try tx.insert(Self.entity, RowKey.values(seed, number) + [parent].compactMap(\.self))
                        for link in links(of: number) { try tx.setEdge(id, "links", all[link], isPresent: true) }
                        all.append(id)
                    }
                    return all
                }.value
            } catch let error as StoreError where error.code == .duplicateKey {
                throw GeneratorError.alreadyGenerated(seed)
            }
            summary.objects = ids.count
            progress(summary)
        }
        return summary
    }

    public func verify(
        in store: Store, progress: @escaping @Sendable (GenerationSummary) -> Void
    ) async throws -> GenerationSummary {
        var ids: [ObjectID] = []
        for start in stride(from: 0, to: count, by: 1_000) {
            let numbers = start..<min(count, start + 1_000)
            let rows = try RowKey.rows(Self.entity, seed, numbers, in: store)
            guard rows.compactMap(RowKey.number(of:)) == Array(numbers) else {
                throw GeneratorError(.mismatch, "of nodes \(start) to \(numbers.upperBound - 1) there are \(rows.count)")
            }
            ids += rows.map(\.id)
        }
        var children = [[Int]](repeating: [], count: count)
        for number in 0..<count { if let parent = parent(of: number) { children[parent].append(number) } }
        var summary = GenerationSummary()
        for number in 0..<count {
            try Task.checkCancellation()
            for (name, expected) in [
                ("parent", parent(of: number).map { [$0] } ?? []), ("children", children[number]), ("links", links(of: number)),
            ] {
                let found = try store.related(to: ids[number], by: name)
                guard found == expected.map({ ids[$0] }).sorted() else {
                    throw GeneratorError(
                        .mismatch,
                        "node \(number) (\(ids[number])) has \(found.count) \(name), and was made with \(expected.count), or with others"
                    )
                }
            }
            summary.objects += 1
            if summary.objects.isMultiple(of: 100) { progress(summary) }
        }
        return summary
    }
}
