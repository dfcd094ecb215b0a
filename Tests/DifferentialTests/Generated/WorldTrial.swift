import EventLog
import Projection
import Storage
import Strandline

/// A generated world, its store, and questions about them: some when it is filled, some when it has changed, and some of
/// them again about how it was before.
struct WorldTrial {
    let seed: UInt64
    let objects: Int
    /// Objects of a transaction, at most.
    let batch: Int
    let questions: Int
    /// Bytes after which objects go to runs; nil for the usual.
    let memory: Int?

    static func run(_ trials: [WorldTrial]) async throws -> Tally {
        try await withThrowingTaskGroup(of: Tally.self) { group in
            for trial in trials { group.addTask { try await trial.run() } }
            var total = Tally()
            for try await tally in group { total += tally }
            return total
        }
    }

    private func run() async throws -> Tally {
        var options = Store.Options()
        if let memory {
            options.projection.memory = memory
            options.projection.rest = 0
            options.projection.cache = max(1 << 20, memory * 4)
        }
        let environment = Environment.inMemory()
        var store = try await Store.open(.environment("/store", environment), options: options)
        var script = WorldScript(seed: seed)
        try await script.declare(in: store)
        try await script.fill(store, count: objects, batch: batch)
        try await script.change(store, count: min(objects / 3, 200))
        let (before, token) = (script.world, store.token)
        var tally = Tally()
        let third = questions / 3
        tally += try ask(Answering(store), before, third, overRuns: Self.hasRuns(environment))

        try await script.fill(store, count: objects / 10, batch: batch)
        try await script.change(store, count: min(objects / 2, 200))
        if seed % 4 < 2 {
            // Of a store with little memory everything is in runs now.
            try await store.close()
            store = try await Store.open(.environment("/store", environment), options: options)
        }
        tally += try ask(Answering(store), script.world, questions - 2 * third, overRuns: Self.hasRuns(environment))
        tally += try ask(Answering(try await store.snapshot(at: token)), before, third, overRuns: false)
        let examiner = try Examiner(script.world, patterns: [:])
        for model in script.world.models {
            for row in try store.rows(of: model.name) {
                if let difference = examiner.difference(row) {
                    tally.differences.append("seed \(seed): \(difference)")
                }
            }
        }
        try await store.close()
        return tally
    }

    private static func hasRuns(_ environment: Environment) -> Bool {
        ((try? environment.fileSystem.list("/store/runs")) ?? []).contains { $0.hasSuffix(".run") }
    }

    /// Asks some questions about a world; half of them as text.
    private func ask(_ answering: Answering, _ world: World, _ count: Int, overRuns: Bool) throws -> Tally {
        var tally = Tally()
        var source = QuestionSource(world, Dice(seed: seed &* 31 &+ UInt64(world.rows.count)))
        let questions = (0..<count).map { _ in source.next() }
        let examiner = try Examiner(world, patterns: source.patterns)
        for (index, question) in questions.enumerated() {
            do {
                let text = index.isMultiple(of: 2) && !question.filter.holdsNaN ? try Filter(question.filter.description) : nil
                let found = try examiner.difference(question, asText: text, answering, asksBoth: index % 5 == 0, &tally)
                guard let difference = found else { continue }
                tally.differences.append("seed \(seed), question \(index): \(question): \(difference)")
            } catch {
                tally.differences.append("seed \(seed), question \(index): \(question): \(error)")
            }
        }
        if overRuns { tally.overRuns = tally.cases }
        return tally
    }
}

extension Filter {
    /// Whether it names NaN, which has no text.
    fileprivate var holdsNaN: Bool {
        switch self {
        case .always: false
        case .not(let filter): filter.holdsNaN
        case .and(let filters), .or(let filters): filters.contains(where: \.holdsNaN)
        case .comparison(let comparison): ([comparison.left] + comparison.right).contains(where: \.holdsNaN)
        }
    }
}

extension Operand {
    fileprivate var holdsNaN: Bool {
        switch self {
        case .constant(.double(let number)), .constant(.date(let number)): number.isNaN
        case .constant, .path: false
        case .arithmetic(let left, _, let right): left.holdsNaN || right.holdsNaN
        }
    }
}
