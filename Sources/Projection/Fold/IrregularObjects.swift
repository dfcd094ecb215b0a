package import EventLog

/// Objects that may not read as their own record says: one with others by their key, hidden with their owner, or with a reference
/// that leads elsewhere or nowhere.
///
/// Everything else can be read from its record, or from columns, without a look at other objects. It may name too many, never too few.
package struct IrregularObjects: Sendable, Hashable {
    package private(set) var ids: Set<ObjectID> = []
    /// Those of them of which everybody who refers to them is one too.
    private var displaced: Set<ObjectID> = []

    package init(_ ids: Set<ObjectID> = []) { self.ids = ids }

    package func contains(_ id: ObjectID) -> Bool { !ids.isEmpty && ids.contains(id) }

    /// Returns whether those who refer to it are to be added too.
    mutating func insert(_ id: ObjectID, isDisplaced: Bool) -> Bool {
        ids.insert(id)
        return isDisplaced && displaced.insert(id).inserted
    }

    mutating func remove(_ id: ObjectID) {
        guard contains(id) else { return }
        ids.remove(id)
        displaced.remove(id)
    }
}

extension FoldState {
    /// A state that keeps account of which objects are irregular; see ``IrregularObjects``.
    package static var tracking: FoldState {
        var state = FoldState()
        state.irregular = IrregularObjects()
        return state
    }

    /// Whether the object, if it is alive, reads as its own record says.
    package func isRegular(_ id: ObjectID) -> Bool { irregular.map { !$0.contains(id) } ?? false }

    /// Notes what the end of an object does to others; of one that was never here, too, for until then it was only awaited.
    mutating func trackEnd(of id: ObjectID) {
        irregular?.remove(id)
        markReferrers(of: id)
    }

    /// Notes that an object has a unique key now, which `others` have too.
    mutating func trackKey(of id: ObjectID, sharedWith others: [ObjectID]) {
        for other in others { mark(other, isDisplaced: true) }
        if !others.isEmpty { mark(id, isDisplaced: true) }
    }

    /// Notes what a living object refers to now.
    mutating func trackReferences(of id: ObjectID, _ references: [FoldTerms.Reference], as entity: WireName) {
        for reference in references {
            let (property, target) = (reference.property, reference.target)
            if !objects.isAlive(target) || irregular?.contains(target) == true {
                mark(id, isDisplaced: schema.rule(of: property, in: entity) == .cascade)
            }
            guard schema.isOneToOne(property, in: entity) else { continue }
            let rivals = registers(referringTo: target).filter { $0.object != id && $0.property == property }
            for rival in rivals { mark(rival.object, isDisplaced: false) }
            if !rivals.isEmpty { mark(id, isDisplaced: false) }
        }
    }

    /// Notes objects anew after a change of the schema that changes what keys and references mean.
    mutating func trackIrregular(of entities: Set<WireName>) {
        guard irregular != nil else { return }
        var living: [ObjectID] = []
        objects.visit(of: entities) { id, _ in living.append(id) }
        for id in living {
            guard let record = objects[id], record.isAlive, let entity = record.entity else { continue }
            let terms = FoldTerms(of: record, schema)
            if let key = terms.key { trackKey(of: id, sharedWith: holders(of: key, except: id)) }
            trackReferences(of: id, terms.references, as: entity)
        }
    }

    /// Forgets objects that are regular again.
    package mutating func pruneIrregular() {
        guard let held = irregular, !held.ids.isEmpty, held.ids.count < 100_000 else { return }
        var exact = self
        exact.irregular = nil
        var kept = held.ids.filter { !exact.readsAsItself($0) }
        // Who refers to one of these may be hidden with it, or read another value, without a change of its own.
        var forgotten = held.ids.subtracting(kept)
        while true {
            let followers = forgotten.filter { exact.refers($0, toOneOf: kept) }
            if followers.isEmpty { break }
            kept.formUnion(followers)
            forgotten.subtract(followers)
        }
        if kept.count < held.ids.count { irregular = IrregularObjects(kept) }
    }

    /// Whether an object reads just as its record says, whatever is written to others; or is gone.
    private func readsAsItself(_ id: ObjectID) -> Bool {
        guard let record = objects[id], record.isAlive, let entity = record.entity else { return true }
        guard standsAlone(id) else { return false }
        return record.current.registers.allSatisfy { property, register in
            guard case .reference(let target) = register.value else { return true }
            guard standsAlone(target) else { return false }
            // Of several that refer to one, any may become the one that counts.
            return !schema.isOneToOne(property, in: entity)
                || registers(referringTo: target).allSatisfy { $0.property != property || $0.object == id }
        }
    }

    private func refers(_ id: ObjectID, toOneOf targets: Set<ObjectID>) -> Bool {
        guard let record = objects[id] else { return false }
        return record.current.registers.contains { _, register in
            if case .reference(let target) = register.value { targets.contains(target) } else { false }
        }
    }

    /// Whether an object is visible, and nobody has its key: hidden ones count, which may be seen again without a change of theirs.
    private func standsAlone(_ id: ObjectID) -> Bool {
        guard members(of: id) == [id] else { return false }
        return objects.uniqueKey(of: id, by: schema).map { holders(of: $0, except: id).isEmpty } ?? true
    }

    private mutating func mark(_ id: ObjectID, isDisplaced: Bool) {
        var pending = [(id, isDisplaced)]
        while let (object, isDisplaced) = pending.popLast() {
            if irregular?.insert(object, isDisplaced: isDisplaced) == true { pending += referrersToMark(of: object) }
        }
    }

    private mutating func markReferrers(of id: ObjectID) {
        for (referrer, isDisplaced) in referrersToMark(of: id) { mark(referrer, isDisplaced: isDisplaced) }
    }

    private func referrersToMark(of id: ObjectID) -> [(ObjectID, Bool)] {
        registers(referringTo: id).compactMap { end in
            objects[end.object]?.entity.map { (end.object, schema.rule(of: end.property, in: $0) == .cascade) }
        }
    }
}
