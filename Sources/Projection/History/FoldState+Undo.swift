package import EventLog

extension FoldState {
    /// Plans the inverse of a transaction, as this state has it: registers that it still wins go back to the value its writer
    /// saw (null where there was none), inserts are deleted, deletes restored with what was seen, edges and increments inverted.
    ///
    /// - Parameters:
    ///   - transaction: applied, with its origins resolved.
    ///   - chains: what happened since to the objects that a plan without them leaves something of; what undos put back of
    ///     the transaction counts as its own.
    package func planUndo(_ transaction: Transaction, _ chains: UndoChains? = nil) -> UndoPlan {
        var undo = UndoBuilder(state: self, stamp: transaction.header.stamp, chains: chains)
        for change in transaction.changes { undo.note(change) }
        var plan = undo.plan()
        guard !plan.changes.isEmpty else { return plan }
        plan.changes.insert(.undo(origin: transaction.header.origin, sequence: transaction.header.sequence), at: 0)
        return plan
    }
}

/// Sums up a transaction by object, for what counts is what was before all of it and what is now.
private struct UndoBuilder {
    private struct Life {
        var entity: WireName
        var inserted = false
        /// The first causal length that the transaction set by a delete or restore, and the last.
        var lengths: [UInt32] = []
        var seen: [PropertyValue] = []
        var endedEdges: [(property: Property, target: ObjectID)] = []
        /// Per property what was there first.
        var old: [Property: Value] = [:]
        var counts: [(property: Property, length: UInt32, amount: Int64)] = []
        var edges: [(property: Property, target: ObjectID, ownerLength: UInt32, length: UInt32)] = []

        /// The same with the row that the object had when it ended last; undos brought it back in between.
        func ended(at length: UInt32, _ chains: UndoChains?, _ id: ObjectID) -> Life {
            guard let row = chains?.row(of: id, endedAt: length) else { return self }
            var life = self
            (life.seen, life.endedEdges, life.old) = (row.seen, row.edges.map { (property: $0.0, target: $0.1) }, [:])
            return life
        }
    }

    private let state: FoldState
    private let stamp: Stamp
    private let chains: UndoChains?
    private var lives: [ObjectID: Life] = [:]
    private var result = UndoPlan()

    init(state: FoldState, stamp: Stamp, chains: UndoChains?) {
        self.state = state
        self.stamp = stamp
        self.chains = chains
    }

    mutating func note(_ change: Change) {
        guard let id = change.object, let entity = change.entity else { return }
        var life = lives[id] ?? Life(entity: WireName(entity))
        switch change {
        case .insert: life.inserted = true
        case .update(_, _, _, let assignments):
            for assignment in assignments where life.old[assignment.property] == nil {
                life.old[assignment.property] = assignment.old ?? .null
            }
        case .delete(_, _, let length, let seen):
            if life.lengths.isEmpty { life.seen = seen }
            life.lengths.append(length)
        case .restore(_, _, let length, let values):
            for value in values where life.old[value.property] == nil {
                life.old[value.property] = life.seen.last { $0.property == value.property }?.value ?? .null
            }
            life.lengths.append(length)
        case .edge(_, _, let property, let target, let ownerLength, let length):
            life.edges.append((property, target, ownerLength, length))
            if life.lengths.isEmpty, length.isMultiple(of: 2) { life.endedEdges.append((property, target)) }
        case .increment(_, _, let length, let property, let amount, _):
            life.counts.append((property, length, amount))
        case .schema, .rename, .undo, .unknown: return
        }
        lives[id] = life
    }

    mutating func plan() -> UndoPlan {
        var births: [ObjectID] = []
        for (id, life) in lives.sorted(by: { $0.key < $1.key }) {
            let now = state.length(of: id)
            let wasAlive = !life.inserted && !(life.lengths.first.map { !$0.isMultiple(of: 2) } ?? false)
            let last = life.lengths.last ?? (life.inserted ? 1 : nil)
            if let last, !stands(last, now, id) {
                result.leftovers.append(UndoPlan.Leftover(object: id, reason: .gone))
            } else if let last, !last.isMultiple(of: 2), !wasAlive {
                births.append(id)
            } else if let last, last.isMultiple(of: 2) {
                if wasAlive { revive(id, now == last ? life : life.ended(at: now, chains, id)) }
            } else {
                revert(id, life, now)
            }
        }
        end(births)
        result.leftovers.sort { a, b in
            guard a.object == b.object else { return a.object < b.object }
            guard let first = a.property, let second = b.property else { return a.property == nil && b.property != nil }
            return first < second
        }
        return result
    }

    private mutating func revive(_ id: ObjectID, _ life: Life) {
        var row = Dictionary(life.seen.map { ($0.property, $0.value) }, uniquingKeysWith: { $1 })
        for (property, value) in life.old { row[property] = value }
        let values = row.sorted { $0.key < $1.key }.map { PropertyValue($0.key, $0.value) }
        if let changes = try? state.planRestore(id, entity: life.entity, values, edges: life.endedEdges) {
            result.changes += changes
        } else {
            result.leftovers.append(UndoPlan.Leftover(object: id, reason: .gone))
        }
    }

    /// The object was alive before and is still: its parts go back one by one.
    private mutating func revert(_ id: ObjectID, _ life: Life, _ now: UInt32) {
        guard !now.isMultiple(of: 2), let epoch = state.objects[id]?.current else {
            result.leftovers.append(UndoPlan.Leftover(object: id, reason: .gone))
            return
        }
        var assignments: [Assignment] = []
        for (property, old) in life.old.sorted(by: { $0.key < $1.key }) {
            guard let held = epoch.registers[property],
                held.stamp == stamp
                    || chains?.stands(stamp, at: property, of: id, under: now, held: held.stamp) ?? false
            else {
                result.leftovers.append(UndoPlan.Leftover(object: id, property: property, reason: .overwritten))
                continue
            }
            assignments.append(Assignment(property, new: old, old: held.value, overwrote: held.stamp))
        }
        if !assignments.isEmpty {
            result.changes.append(.update(object: id, entity: life.entity.text, length: now, assignments: assignments))
        }
        revertEdges(id, life, epoch, now)
        for (property, counts) in Dictionary(grouping: life.counts, by: \.property).sorted(by: { $0.key < $1.key }) {
            let held = counts.filter { isPart($0.length, now, id) }
            let amount = held.reduce(0 as Int64) { $0 &+ $1.amount }
            let isGone = held.count < counts.count
            if isGone { result.leftovers.append(UndoPlan.Leftover(object: id, property: property, reason: .gone)) }
            guard amount != 0 else { continue }
            let seen: Int64 = if case .counter(let sum)? = state.value(of: property, among: [id]) { sum } else { 0 }
            result.changes.append(
                .increment(
                    object: id, entity: life.entity.text, length: now, property: property, by: 0 &- amount, seen: seen))
        }
    }

    /// Whether the object is as it was when it got a causal length.
    private func stands(_ length: UInt32, _ now: UInt32, _ id: ObjectID) -> Bool {
        length == now || chains?.undone(from: length, to: now, of: id) != nil
    }

    /// Whether what was added under a causal length is part of what the counter is now.
    ///
    /// A delete of another replica need not have known of it, and then it did not come back.
    private func isPart(_ length: UInt32, _ now: UInt32, _ id: ObjectID) -> Bool {
        if length == now { return true }
        guard let undone = chains?.undone(from: length, to: now, of: id) else { return false }
        return undone.allSatisfy { $0.replica == stamp.replica }
    }

    private mutating func revertEdges(_ id: ObjectID, _ life: Life, _ epoch: Epoch, _ now: UInt32) {
        var last: [Property: [ObjectID: (first: UInt32, last: UInt32, ownerLength: UInt32)]] = [:]
        for edge in life.edges {
            let first = last[edge.property]?[edge.target]?.first ?? edge.length
            last[edge.property, default: [:]][edge.target] = (first, edge.length, edge.ownerLength)
        }
        for (property, targets) in last.sorted(by: { $0.key < $1.key }) {
            for (target, lengths) in targets.sorted(by: { $0.key < $1.key }) {
                guard (lengths.last ^ lengths.first).isMultiple(of: 2) else { continue }
                let held = epoch.edges[property]?[target] ?? 0
                guard
                    (lengths.ownerLength, lengths.last) == (now, held)
                        || chains?.stands(
                            property, to: target, of: id, since: (lengths.ownerLength, lengths.last), held: (now, held))
                            ?? false
                else {
                    result.leftovers.append(UndoPlan.Leftover(object: id, property: property, reason: .overwritten))
                    continue
                }
                result.changes.append(
                    .edge(
                        owner: id, entity: life.entity.text, property: property, target: target, ownerLength: now,
                        length: held + 1))
            }
        }
    }

    /// Deletes what the transaction brought to life.
    ///
    /// Where others are one object with it by their key, only the member goes.
    private mutating func end(_ births: [ObjectID]) {
        var roots: [ObjectID] = []
        for id in births {
            let members = state.members(of: id)
            if members.allSatisfy(births.contains), !members.isEmpty {
                roots.append(id)
            } else {
                result.changes += state.deletion(of: id, seenAs: [id])
            }
        }
        guard !roots.isEmpty else { return }
        do {
            result.changes += try state.planDelete(roots)
        } catch {
            // One at a time, so that what nobody refers to goes all the same.
            for id in roots where !isEnded(id) {
                if let changes = try? state.planDelete([id]) {
                    result.changes += changes.filter { change in change.object.map { !isEnded($0) } ?? true }
                } else {
                    result.leftovers.append(UndoPlan.Leftover(object: id, reason: .denied))
                }
            }
        }
    }

    private func isEnded(_ id: ObjectID) -> Bool {
        result.changes.contains { if case .delete(id, _, _, _) = $0 { true } else { false } }
    }
}
