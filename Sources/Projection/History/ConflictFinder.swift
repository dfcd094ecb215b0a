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
        var finder = ConflictFinder(ReferenceFold.fold(self).keyGroups())
        for (index, transaction) in transactions.enumerated() {
            let knowledge = knowledge(of: index)
            for change in transaction.changes { finder.note(change, of: transaction.header, knowing: knowledge) }
        }
        return finder.conflicts(since: vector)
    }
}

/// Finds the conflicts among transactions, given those of each branch in order.
package struct ConflictFinder {
    private struct Place: Hashable {
        var object: ObjectID
        var property: Property
        var length: UInt32
    }

    private struct Write {
        var transaction: Int
        var value: Value
        /// By an update, as opposed to an insert or a restore.
        var isExplicit = false
    }

    /// A transaction, and what its writer had applied.
    private struct Writer {
        let header: TransactionHeader
        let knowledge: Knowledge
    }

    private var writers: [Writer] = []
    private var writes: [Place: [Write]] = [:]
    private var increments: [Place: [Write]] = [:]
    /// Transactions that deleted an object, by the length that they ended.
    private var deletes: [ObjectID: [UInt32: [Int]]] = [:]
    private var entities: [ObjectID: WireName] = [:]
    private let groups: [KeyGroup]
    private let members: Set<ObjectID>
    /// What was written to members of keys.
    private var properties: [ObjectID: Set<Property>] = [:]

    /// - Parameter groups: the objects that are one by their key when all is applied.
    package init(_ groups: [KeyGroup]) {
        self.groups = groups
        members = Set(groups.lazy.flatMap(\.members).map(\.id))
    }

    package var hasGroups: Bool { !groups.isEmpty }

    /// Whether what happened to an object is wanted because it is one with others.
    package func isMember(_ object: ObjectID) -> Bool { members.contains(object) }

    /// Takes note of a change; those of a transaction must come together, in their order.
    package mutating func note(_ change: Change, of header: TransactionHeader, knowing knowledge: Knowledge) {
        guard change.object != nil else { return }
        if writers.last.map({ $0.header.stamp != header.stamp }) ?? true {
            writers.append(Writer(header: header, knowledge: knowledge))
        }
        note(change, of: writers.count - 1)
    }

    /// The conflicts that have a part beyond `vector`, as ``ResolvedHistory/conflicts(since:)`` gives them.
    package func conflicts(since vector: [ReplicaID: UInt64]) -> [Conflict] {
        conflicts { contender in contender.sequence > vector[contender.stamp.replica] ?? 0 }
    }

    private mutating func note(_ change: Change, of transaction: Int) {
        if let object = change.object, let entity = change.entity.map({ WireName($0) }) {
            entities[object] = entities[object].map { min($0, entity) } ?? entity
        }
        switch change {
        case .insert(let object, _, let values):
            for value in values { note(object, value.property, 1, transaction, value.value) }
        case .restore(let object, _, let length, let values):
            for value in values { note(object, value.property, length, transaction, value.value) }
        case .update(let object, _, let length, let assignments):
            for assignment in assignments {
                note(object, assignment.property, length, transaction, assignment.new, isExplicit: true)
            }
        case .delete(let object, _, let length, _):
            deletes[object, default: [:]][length &- 1, default: []].append(transaction)
        case .increment(let object, _, let length, let property, let amount, _):
            let place = Place(object: object, property: property, length: length)
            increments[place, default: []].append(Write(transaction: transaction, value: .counter(amount)))
        case .edge, .schema, .rename, .undo, .unknown:
            break
        }
    }

    private func conflicts(where concerns: (Conflict.Contender) -> Bool) -> [Conflict] {
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
        for group in groups { found += conflicts(in: group) }
        return found.filter { concerns($0.winner) || $0.losers.contains(where: concerns) }.sorted(by: Self.isBefore)
    }

    private mutating func note(
        _ object: ObjectID, _ property: Property, _ length: UInt32, _ transaction: Int, _ value: Value,
        isExplicit: Bool = false
    ) {
        let place = Place(object: object, property: property, length: length)
        let write = Write(transaction: transaction, value: value, isExplicit: isExplicit)
        var held = writes[place] ?? []
        if held.last?.transaction == transaction { held.removeLast() }
        writes[place] = held + [write]
        if members.contains(object) { properties[object, default: []].insert(property) }
    }

    private func conflict(at place: Place, among writes: [Write]) -> [Conflict] {
        guard let winner = writes.max(by: { stamp($0) < stamp($1) }) else { return [] }
        let losers = writes.filter { $0.transaction != winner.transaction && $0.value != winner.value }
        return conflict(at: place, .values, contender(winner), losers)
    }

    /// What members of a key wrote for one property, without knowledge of the value that holds for all.
    private func conflicts(in group: KeyGroup) -> [Conflict] {
        var last: [Property: [(write: Write, member: ObjectID, length: UInt32)]] = [:]
        for (member, length) in group.members {
            for property in properties[member] ?? [] {
                guard let writes = writes[Place(object: member, property: property, length: length)],
                    let write = writes.max(by: { stamp($0) < stamp($1) })
                else { continue }
                last[property, default: []].append((write, member, length))
            }
        }
        return last.flatMap { property, held -> [Conflict] in
            let winner = held.max { a, b in
                if a.write.isExplicit != b.write.isExplicit { return b.write.isExplicit }
                return stamp(a.write) != stamp(b.write) ? stamp(a.write) < stamp(b.write) : a.member < b.member
            }
            guard let winner else { return [] }
            let losers = held.map(\.write).filter { write in
                // What an insert leaves empty is no value that anybody loses.
                write.value != winner.write.value && (write.isExplicit || write.value != .null)
                    && !held.contains {
                        $0.write.transaction != write.transaction && knows($0.write.transaction, write.transaction)
                    }
            }
            let place = Place(object: group.representative, property: property, length: winner.length)
            return conflict(at: place, .uniqueKey, contender(winner.write), losers)
        }
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
        let header = writers[other].header
        return writers[writer].knowledge.has(header.origin, header.sequence)
    }

    private func stamp(_ write: Write) -> Stamp { writers[write.transaction].header.stamp }

    private func contender(_ write: Write) -> Conflict.Contender {
        let header = writers[write.transaction].header
        return Conflict.Contender(
            stamp: header.stamp, sequence: header.sequence, author: header.author, value: write.value)
    }

    private static func isBefore(_ a: Conflict, _ b: Conflict) -> Bool {
        if a.object != b.object { return a.object < b.object }
        return (a.property, a.length, a.kind.rawValue) < (b.property, b.length, b.kind.rawValue)
    }
}
