import EventLog
import Strandline

/// Random schemas, and random writes to a store and to the ``World`` that it should be.
struct WorldScript {
    private enum Step: Sendable {
        case insert(String, [PropertyValue])
        case update(ObjectID, [PropertyValue])
        case increment(ObjectID, String, Int64)
        case edge(ObjectID, ObjectID, Bool)
        case delete(ObjectID)
    }

    private(set) var world: World
    private var dice: Dice

    init(seed: UInt64) {
        var dice = Dice(seed: seed)
        world = World(Self.models(&dice))
        self.dice = dice
    }

    func declare(in store: Store) async throws {
        let declarations = world.models.map(\.declaration)
        _ = try await store.write { tx in for declaration in declarations { try tx.declare(declaration) } }
    }

    /// Inserts so many objects, in transactions of some.
    mutating func fill(_ store: Store, count: Int, batch: Int) async throws {
        var left = count
        while left > 0 {
            let size = min(left, dice.number(1...batch))
            left -= size
            let ids = world.ids
            var steps: [(entity: String, values: [String: Value])] = []
            for _ in 0..<size {
                let model = world.models[dice.chance(70) ? 0 : 1]
                steps.append((model.name, values(for: model, among: ids)))
            }
            let made = try await run(steps.map { .insert($0.entity, list($0.values, of: $0.entity)) }, in: store)
            for (id, step) in zip(made, steps) { world.insert(id, step.entity, step.values) }
            world.index()
        }
    }

    /// Updates, deletes and links some objects.
    mutating func change(_ store: Store, count: Int) async throws {
        for _ in 0..<max(1, count / 8) where !world.rows.isEmpty {
            var steps: [Step] = []
            for _ in 0..<min(8, count) { if let step = change() { steps.append(step) } }
            if !steps.isEmpty { _ = try await run(steps, in: store) }
            world.index()
        }
    }

    private mutating func change() -> Step? {
        let ids = world.ids.filter { world.rows[$0] != nil }
        guard !ids.isEmpty, let row = world.rows[dice.pick(ids)], let model = world.model(row.entity) else { return nil }
        switch dice.number(0...9) {
        case 0, 1:
            world.delete(row.id)
            return .delete(row.id)
        case 2, 3:
            let firsts = ids.filter { world.rows[$0]?.entity == world.models[0].name }
            let seconds = ids.filter { world.rows[$0]?.entity == world.models[1].name }
            guard !firsts.isEmpty, !seconds.isEmpty else { return nil }
            let (owner, target, isPresent) = (dice.pick(firsts), dice.pick(seconds), dice.chance(80))
            world.setEdge(owner, target, isPresent: isPresent)
            return .edge(owner, target, isPresent)
        case 4:
            guard let counter = model.columns.first(where: { $0.type == .counter }) else { return nil }
            let amount = Int64(dice.number(1...9))
            world.increment(row.id, counter.name, by: amount)
            return .increment(row.id, counter.name, amount)
        default:
            let all = values(for: model, among: ids).filter { model.column($0.key)?.type != .counter }
            let names = dice.some(all.keys.sorted(), atMost: 4)
            let values = all.filter { names.contains($0.key) }
            world.set(row.id, values)
            return .update(row.id, list(values, of: model.name))
        }
    }

    private func run(_ steps: [Step], in store: Store) async throws -> [ObjectID] {
        try await store.write { tx in
            var made: [ObjectID] = []
            for step in steps {
                switch step {
                case .insert(let entity, let values): made.append(try tx.insert(entity, values))
                case .update(let id, let values): try tx.update(id, values)
                case .increment(let id, let name, let amount): try tx.increment(id, name, by: amount)
                case .edge(let owner, let target, let isPresent):
                    try tx.setEdge(owner, "tags", target, isPresent: isPresent)
                case .delete(let id): try tx.delete(id)
                }
            }
            return made
        }.value
    }

    private func list(_ values: [String: Value], of entity: String) -> [PropertyValue] {
        guard let model = world.model(entity) else { return [] }
        return values.sorted { $0.key < $1.key }.map { name, value in
            PropertyValue(Property(name, model.column(name)?.type ?? .reference), value)
        }
    }

    private mutating func values(for model: Model, among ids: [ObjectID]) -> [String: Value] {
        var values: [String: Value] = [:]
        for column in model.columns where !dice.chance(column.absences) {
            values[column.name] =
                dice.chance(column.nulls) ? .null : column.flavour.value(of: column.type, &dice)
        }
        for reference in model.references where !dice.chance(20) {
            let targets = ids.suffix(400).filter { world.rows[$0]?.entity == reference.target }
            values[reference.name] = targets.isEmpty || dice.chance(15) ? .null : .reference(dice.pick(targets))
        }
        return values
    }
}

// Schemas.
extension WorldScript {
    private static let types: [ValueType] = [
        .bool, .int, .int, .double, .double, .string, .string, .string, .date, .uuid, .data, .counter,
    ]
    private static let names = [
        "views", "title", "Title", "größe", "select", "a b", "and", "SELF", "count", "x", "id", "日付", "it's", "in", "p`q", "_1",
        "nil", "order", "e\u{301}",
    ]

    private static func models(_ dice: inout Dice) -> [Model] {
        [
            Model(
                name: dice.pick(["Item", "Größe", "Order Line"]), columns: columns(&dice),
                references: [
                    Model.Reference(name: "box", target: "Box", inverse: "items")
                ],
                collections: [Model.Collection(name: "tags", target: "Box", inverse: "tagged", storage: .edges)]),
            Model(
                name: "Box", columns: columns(&dice),
                references: [Model.Reference(name: "up", target: "Box", inverse: "inner")],
                collections: [Model.Collection(name: "inner", target: "Box", inverse: "up", storage: .inverse)]),
        ].linked
    }

    private static func columns(_ dice: inout Dice) -> [Model.Column] {
        let names = dice.some(names, atMost: 9)
        return (names.isEmpty ? ["n"] : names).map { name in
            Model.Column(
                name: name, type: dice.pick(types), flavour: dice.pick(Flavour.allCases), nulls: dice.pick([0, 10, 50]),
                absences: dice.pick([0, 0, 10, 30]))
        }
    }
}

extension [Model] {
    /// With the ends that lead from the second entity back to the first.
    fileprivate var linked: [Model] {
        let (first, second) = (self[0], self[1])
        let back = [
            Model.Collection(name: "items", target: first.name, inverse: "box", storage: .inverse),
            Model.Collection(name: "tagged", target: first.name, inverse: "tags", storage: .inverseEdges),
        ]
        return [
            first,
            Model(
                name: second.name, columns: second.columns, references: second.references,
                collections: second.collections + back),
        ]
    }
}
