package import EventLog

// Invariants
// * Writes of one transaction to one register are one write, the last.
// * A write knows another when its transaction's writer had applied the other's transaction, or is the same.

extension ResolvedHistory {
    /// The conflicts that have a part beyond `vector`, ascending by object, property, length and kind.
    ///
    /// Two writes are concurrent when neither's writer had applied the other. So the answer depends on the set of
    /// transactions alone, and is the same on every replica.
    /// `vector`: branch name to last sequence; empty for all conflicts.
    package func conflicts(since vector: [ReplicaID: UInt64] = [:]) -> [Conflict] {
        var finder = ConflictFinder(history: self)
        for (index, transaction) in transactions.enumerated() {
            for change in transaction.changes { finder.note(change, of: index) }
        }
        return finder.conflicts { contender in contender.sequence > vector[contender.stamp.replica] ?? 0 }
    }
}

private struct ConflictFinder {
    private struct Place: Hashable {
        var object: ObjectID
        var property: Property
        var length: UInt32
    }

    private struct Write {
        var transaction: Int
        var value: Value
    }

    private let history: ResolvedHistory
    private var writes: [Place: [Write]] = [:]
    private var increments: [Place: [Write]] = [:]
    /// Transactions that deleted an object, by the length that they ended.
    private var deletes: [ObjectID: [UInt32: [Int]]] = [:]
    private var entities: [ObjectID: WireName] = [:]

    init(history: ResolvedHistory) { self.history = history }

    mutating func note(_ change: Change, of transaction: Int) {
        if let object = change.object, let entity = change.entity.map({ WireName($0) }) {
            entities[object] = entities[object].map { min($0, entity) } ?? entity
        }
        switch change {
        case .insert(let object, _, let values):
            for value in values { note(object, value.property, 1, transaction, value.value) }
        case .restore(let object, _, let length, let values):
            for value in values { note(object, value.property, length, transaction, value.value) }
        case .update(let object, _, let length, let assignments):
            for assignment in assignments { note(object, assignment.property, length, transaction, assignment.new) }
        case .delete(let object, _, let length, _):
            deletes[object, default: [:]][length &- 1, default: []].append(transaction)
        case .increment(let object, _, let length, let property, let amount, _):
            let place = Place(object: object, property: property, length: length)
            increments[place, default: []].append(Write(transaction: transaction, value: .counter(amount)))
        case .edge, .schema, .rename, .unknown:
            break
        }
    }

    func conflicts(where concerns: (Conflict.Contender) -> Bool) -> [Conflict] {
        var found: [Conflict] = []
        for (place, writes) in writes {
            let last = writes.filter { write in
                !writes.contains { $0.transaction != write.transaction && knows($0.transaction, write.transaction) }
            }
            found += conflict(at: place, among: last)
            found += conflict(at: place, last, lostTo: deletes[place.object]?[place.length] ?? [])
        }
        for (place, increments) in increments {
            found += conflict(at: place, increments, lostTo: deletes[place.object]?[place.length] ?? [])
        }
        return found.filter { concerns($0.winner) || $0.losers.contains(where: concerns) }.sorted(by: Self.isBefore)
    }

    private mutating func note(
        _ object: ObjectID, _ property: Property, _ length: UInt32, _ transaction: Int, _ value: Value
    ) {
        let place = Place(object: object, property: property, length: length)
        let write = Write(transaction: transaction, value: value)
        var held = writes[place] ?? []
        if held.last?.transaction == transaction { held.removeLast() }
        writes[place] = held + [write]
    }

    private func conflict(at place: Place, among writes: [Write]) -> [Conflict] {
        guard let winner = writes.max(by: { stamp($0) < stamp($1) }) else { return [] }
        let losers = writes.filter { $0.transaction != winner.transaction && $0.value != winner.value }
        return conflict(at: place, .values, contender(winner), losers)
    }

    /// Writes that no delete of the object knew of.
    private func conflict(at place: Place, _ writes: [Write], lostTo deletes: [Int]) -> [Conflict] {
        let ends = deletes.map { Write(transaction: $0, value: .null) }
        guard let winner = ends.max(by: { stamp($0) < stamp($1) }) else { return [] }
        let losers = writes.filter { write in !deletes.contains { knows($0, write.transaction) } }
        return conflict(at: place, .writeAgainstDelete, contender(winner), losers)
    }

    private func conflict(
        at place: Place, _ kind: Conflict.Kind, _ winner: Conflict.Contender, _ losers: [Write]
    ) -> [Conflict] {
        guard !losers.isEmpty else { return [] }
        return [
            Conflict(
                object: place.object, entity: entities[place.object]?.text ?? "", property: place.property,
                length: place.length, kind: kind, winner: winner,
                losers: losers.sorted { stamp($0) < stamp($1) }.map(contender))
        ]
    }

    private func knows(_ writer: Int, _ other: Int) -> Bool {
        let header = history.transactions[other].header
        return history.knows(writer, header.origin, header.sequence)
    }

    private func stamp(_ write: Write) -> Stamp { history.transactions[write.transaction].header.stamp }

    private func contender(_ write: Write) -> Conflict.Contender {
        let header = history.transactions[write.transaction].header
        return Conflict.Contender(
            stamp: header.stamp, sequence: header.sequence, author: header.author, value: write.value)
    }

    private static func isBefore(_ a: Conflict, _ b: Conflict) -> Bool {
        if a.object != b.object { return a.object < b.object }
        return (a.property, a.length, a.kind.rawValue) < (b.property, b.length, b.kind.rawValue)
    }
}
