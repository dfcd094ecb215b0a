package import EventLog

// Where both ends of a relationship are to-one, a write that gives an object another partner parts it, and the partner, from those
// that they had. What concurrent writes leave is settled when it is read.

extension FoldState {
    /// A reference that something else takes the place of.
    package struct Displaced: Hashable, Sendable {
        var end: End
        /// What it refers to.
        var target: ObjectID
    }

    /// The one-to-one references that changes take the place of.
    ///
    /// They are to be emptied in the same transaction by ``planRelease(_:)``, once the changes are applied.
    package func displaced(by changes: [Change]) -> Set<Displaced> {
        var displaced: Set<Displaced> = []
        for change in changes {
            switch change {
            case .insert(let id, let entity, let values), .restore(let id, let entity, _, let values):
                let entity = WireName(entity)
                guard schema.hasOneToOnes(entity) else { continue }
                for value in values { note(value.property, value.value, of: id, entity, in: &displaced) }
            case .update(let id, let entity, _, let assignments):
                let entity = WireName(entity)
                guard schema.hasOneToOnes(entity) else { continue }
                for assignment in assignments { note(assignment.property, assignment.new, of: id, entity, in: &displaced) }
            case .delete, .edge, .increment, .schema, .rename, .undo, .unknown: continue
            }
        }
        return displaced
    }

    /// Empties references that were displaced, unless they have changed since.
    package func planRelease(_ displaced: Set<Displaced>) throws(ProjectionError) -> [Change] {
        var changes: [Change] = []
        for entry in displaced.sorted(by: { $0.end < $1.end }) {
            guard let entity = objects[entry.end.object]?.entity,
                case .reference(let target)? = held(entry.end.property, among: members(of: entry.end.object))?.value,
                resolve(target, through: entry.end.property, of: entity).object == representative(of: entry.target)
            else { continue }
            changes += try planUpdate(entry.end.object, [PropertyValue(entry.end.property, .null)])
        }
        return changes
    }

    private func note(
        _ property: Property, _ new: Value, of id: ObjectID, _ entity: WireName, in displaced: inout Set<Displaced>
    ) {
        guard schema.isOneToOne(property, in: entity) else { return }
        let own = representative(of: id)
        func add(_ ends: [End], _ target: ObjectID) {
            for end in ends where end.object != own { displaced.insert(Displaced(end: end, target: target)) }
        }
        var target: ObjectID?
        if case .reference(let goal) = new { target = representative(of: goal) }
        if let target { add(referrers(of: target, through: property, of: entity), target) }
        // Who lost to this object must not come back when it goes.
        guard let own, case .reference(let old)? = held(property, among: members(of: own))?.value,
            let left = representative(of: old), left != target
        else { return }
        let ends = referrers(of: left, through: property, of: entity)
        if holder(among: ends) == own { add(ends, left) }
    }
}
