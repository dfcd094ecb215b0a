// Invariants
// * Holds what a store should hold: each step of a ``WorldScript`` is made in both.
// * `referrers` is of the rows as they are once `index()` has run, which every mutation by a script ends with.

import EventLog

/// The objects of a generated schema, as plain dictionaries.
struct World {
    struct Row {
        let id: ObjectID
        let entity: String
        /// How manieth object of the world it is, from 1.
        let ordinal: Int64
        /// By wire name; what was never set is not among them.
        var values: [String: Value]
    }

    private struct Link: Hashable {
        let entity: String
        let name: String
        let target: ObjectID
    }

    let models: [Model]
    private(set) var rows: [ObjectID: Row] = [:]
    /// The many-to-many relationship `tags`, from the first entity to the second.
    private var edges: Set<[ObjectID]> = []
    private var created: Int64 = 0
    private var referrers: [Link: [ObjectID]] = [:]
    private var living: [String: [ObjectID]] = [:]

    init(_ models: [Model]) { self.models = models }

    func model(_ name: String) -> Model? { models.first { $0.name == name } }

    /// The rows of an entity, as they were created.
    func rows(of entity: String) -> [Row] { (living[entity] ?? []).compactMap { rows[$0] } }

    var ids: [ObjectID] { models.flatMap { living[$0.name] ?? [] } }

    func ordinal(_ id: ObjectID) -> Int64 { rows[id]?.ordinal ?? -1 }

    /// The objects that a relationship leads to, ascending.
    func related(to row: Row, by name: String) -> [Row] {
        guard let model = model(row.entity) else { return [] }
        var found: [ObjectID] = []
        if model.reference(name) != nil {
            if case .reference(let id) = row.values[name] { found = [id] }
        } else if let collection = model.collection(name) {
            found =
                switch collection.storage {
                case .inverse:
                    referrers[Link(entity: collection.target, name: collection.inverse, target: row.id)] ?? []
                case .edges: edges.filter { $0[0] == row.id }.map { $0[1] }.sorted()
                default: edges.filter { $0[1] == row.id }.map { $0[0] }.sorted()
                }
        }
        return found.compactMap { rows[$0] }
    }
}

extension World {
    mutating func insert(_ id: ObjectID, _ entity: String, _ values: [String: Value]) {
        created += 1
        rows[id] = Row(id: id, entity: entity, ordinal: created, values: values)
    }

    mutating func set(_ id: ObjectID, _ values: [String: Value]) { rows[id]?.values.merge(values) { _, new in new } }

    mutating func increment(_ id: ObjectID, _ name: String, by amount: Int64) {
        var start: Int64 = 0
        if case .counter(let value) = rows[id]?.values[name] { start = value }
        rows[id]?.values[name] = .counter(start + amount)
    }

    mutating func setEdge(_ owner: ObjectID, _ target: ObjectID, isPresent: Bool) {
        if isPresent { edges.insert([owner, target]) } else { edges.remove([owner, target]) }
    }

    /// Deletes an object; references to it become null.
    mutating func delete(_ id: ObjectID) {
        rows[id] = nil
        edges = edges.filter { !$0.contains(id) }
        for other in rows.values {
            for (name, value) in other.values where value == .reference(id) { rows[other.id]?.values[name] = .null }
        }
    }

    mutating func index() {
        referrers = [:]
        living = [:]
        for row in rows.values.sorted(by: { $0.ordinal < $1.ordinal }) {
            living[row.entity, default: []].append(row.id)
            for case (let name, .reference(let target)) in row.values {
                referrers[Link(entity: row.entity, name: name, target: target), default: []].append(row.id)
            }
        }
    }
}
