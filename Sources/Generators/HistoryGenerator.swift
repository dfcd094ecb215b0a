import EventLog
import Projection
import Strandline

/// A generator that changes what it has made: what is checked is what all steps come to.
protocol HistoryGenerator: Generator {
    var steps: Int { get }
    var seed: UInt64 { get }
    /// How many steps go into one transaction.
    var batch: Int { get }
    var plan: PlannedHistory { get }
    /// The name of an entity, by the number of its shape.
    func entity(_ shape: Int) -> String
}

extension HistoryGenerator {
    public var total: GenerationSummary { GenerationSummary(objects: steps) }

    private func declarations(_ plan: PlannedHistory) -> [EntityDeclaration] {
        plan.shapes.enumerated().map { shape, properties in
            RowKey.declaration(entity(shape), properties.map { FieldDeclaration($0, isOptional: true) })
        }
    }

    public func generate(
        into store: Store, progress: @escaping @Sendable (GenerationSummary) -> Void
    ) async throws -> GenerationSummary {
        var summary = GenerationSummary()
        var state = (plan: plan, ids: [ObjectID]())
        let declarations = declarations(state.plan)
        while summary.objects < steps {
            try Task.checkCancellation()
            let count = min(steps - summary.objects, max(1, batch))
            let before = state
            do {
                state = try await store.write(author: "generator") { tx in
                    for declaration in declarations { try tx.declare(declaration) }
                    var state = before
                    for _ in 0..<count {
                        guard let step = state.plan.next() else { break }
                        try make(step, tx, state.plan, &state.ids)
                    }
                    return state
                }.value
            } catch let error as StoreError where error.code == .duplicateKey {
                throw GeneratorError.alreadyGenerated(seed)
            }
            summary.objects += count
            progress(summary)
        }
        return summary
    }

    private func make(
        _ step: PlannedHistory.Step, _ tx: WriteTransaction, _ plan: PlannedHistory, _ ids: inout [ObjectID]
    ) throws {
        switch step {
        case .insert(let number):
            let item = plan.items[number]
            ids.append(try tx.insert(entity(item.shape), RowKey.values(seed, number) + item.values))
        case .update(let number, let values): try tx.update(ids[number], values)
        case .increment(let number, let property, let amount): try tx.increment(ids[number], property.name, by: amount)
        case .delete(let number): try tx.delete(ids[number])
        case .restore(let number):
            let item = plan.items[number]
            try tx.restore(ids[number], entity(item.shape), RowKey.values(seed, number) + item.values)
        }
    }

    public func verify(
        in store: Store, progress: @escaping @Sendable (GenerationSummary) -> Void
    ) async throws -> GenerationSummary {
        var plan = plan
        while plan.next() != nil {}
        var summary = GenerationSummary()
        for shape in plan.shapes.indices {
            let name = entity(shape)
            let numbers = plan.items.indices.filter { plan.items[$0].shape == shape && plan.items[$0].isAlive }
            guard !numbers.isEmpty || store.knows(name) else { continue }
            var next = numbers.makeIterator()
            for start in stride(from: 0, to: plan.items.count, by: 2_000) {
                try Task.checkCancellation()
                let range = start..<min(plan.items.count, start + 2_000)
                for row in try RowKey.rows(name, seed, range, in: store) {
                    let number = RowKey.number(of: row) ?? -1
                    guard let expected = next.next(), expected == number else {
                        throw GeneratorError(
                            .mismatch, "\(name) \(number) (\(row.id)) is there, and one before it is not, or it was deleted")
                    }
                    if let property = row.difference(from: RowKey.values(seed, number) + plan.items[number].values) {
                        throw GeneratorError(
                            .mismatch, "\(name) \(number) (\(row.id)) has another \(property.name) than it was given last")
                    }
                    summary.objects += 1
                }
                progress(summary)
            }
            if let missing = next.next() { throw GeneratorError(.mismatch, "\(name) \(missing) of seed \(seed) is missing") }
        }
        return summary
    }
}

extension Store {
    fileprivate func knows(_ entity: String) -> Bool { (try? schema().contains { $0.name == entity }) ?? false }
}
