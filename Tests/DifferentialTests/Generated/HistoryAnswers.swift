import EventLog
import Projection
import Simulation
import Strandline

// Invariants
// * Everything is computed from the reference fold: without runs, without a store, by the naive evaluator.

/// What a store must answer that has received a whole history.
struct HistoryAnswers {
    private enum Answer {
        case rows([ObjectID])
        case count(Int)
        case groups([(keys: [Value], figures: [NaiveFigure])])
    }

    private struct Object {
        let id: ObjectID
        let row: Projection.Row?
        /// By the name of the relationship, ascending.
        let related: [(name: String, ids: [ObjectID])]
    }

    let state: FoldState
    private var asked: [(question: Question, answer: Answer)]
    /// Every object that ever was, whatever became of it.
    private var objects: [Object]

    /// How many answers are compared.
    var count: Int { asked.count + objects.reduce(0) { $0 + 1 + $1.related.count } }

    init(_ transactions: [Transaction]) throws {
        let resolved = ResolvedHistory(transactions)
        let state = ReferenceFold.fold(resolved)
        self.state = state
        let world = World(state)
        let naive = NaiveEvaluator(world: world)
        asked = try HistoryQuestions.all(about: world).map { question in
            let found = naive.rows(of: question.entity, where: question.filter)
            switch question.kind {
            case .rows(let sort, let limit, let offset):
                let rows = naive.sorted(found, by: sort).dropFirst(offset).prefix(limit ?? .max)
                return (question, .rows(rows.map(\.id)))
            case .count: return (question, .count(found.count))
            case .groups(let keys, let aggregates):
                return (question, .groups(naive.groups(found, by: keys, aggregates)))
            }
        }
        var ids: Set<ObjectID> = []
        for transaction in resolved.transactions {
            for case .insert(let object, _, _) in transaction.changes { ids.insert(object) }
        }
        objects = ids.sorted().map { id in
            let row = state.row(id)
            guard let found = world.rows[row?.id ?? id], let model = world.model(found.entity) else {
                return Object(id: id, row: row, related: [])
            }
            let names = model.references.map(\.name) + model.collections.map(\.name)
            return Object(
                id: id, row: row, related: names.map { name in (name, world.related(to: found, by: name).map(\.id).sorted()) })
        }
    }

    /// One in so many of the answers; `number` tells which.
    func share(_ number: Int, of count: Int) -> HistoryAnswers {
        var share = self
        func isMeant(_ place: Int) -> Bool { place % count == number % count }
        share.asked = asked.indices.filter(isMeant).map { asked[$0] }
        share.objects = objects.indices.filter(isMeant).map { objects[$0] }
        return share
    }

    /// What a store answers otherwise; empty if nothing.
    func differences(from store: Store) throws -> [String] {
        var differences: [String] = []
        for (question, answer) in asked {
            guard let difference = try difference(question, answer, Answering(store)) else { continue }
            differences.append("\(question): \(difference)")
        }
        for object in objects {
            let row = try store.row(object.id)
            if row != object.row { differences.append("\(object.id) is \(Self.text(row)), not \(Self.text(object.row))") }
            for (name, ids) in object.related {
                let found = try store.related(to: object.id, by: name)
                if found != ids { differences.append("\(object.id).\(name) leads to \(found), not \(ids)") }
            }
        }
        return differences
    }

    private func difference(_ question: Question, _ answer: Answer, _ answering: Answering) throws -> String? {
        switch (question.kind, answer) {
        case (.rows(let sort, let limit, let offset), .rows(let expected)):
            let found = try answering.rows(question.entity, question.filter, sort, limit, offset)
            if found.map(\.id) != expected { return "\(found.map(\.id)), not \(expected)" }
            let wrong = found.first { $0 != state.row($0.id) }
            return wrong.map { "\($0) is not \(Self.text(state.row($0.id)))" }
        case (.count, .count(let expected)):
            let found = try answering.count(question.entity, question.filter)
            return found == expected ? nil : "counted \(found), not \(expected)"
        case (.groups(let keys, let aggregates), .groups(let expected)):
            let found = try answering.groups(question.entity, question.filter, keys, aggregates)
            return Examiner.difference(found, expected)
        default: return "the answer is of another kind than the question"
        }
    }

    private static func text(_ row: Projection.Row?) -> String { row.map { "\($0)" } ?? "nothing" }
}
