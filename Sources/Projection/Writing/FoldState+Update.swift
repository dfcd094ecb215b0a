package import EventLog

// Planning at a write: each function reads the state as the writer sees it and returns the changes that carry out an intent.
// The caller applies them, under the stamp of the transaction in progress, before it plans the next.

extension FoldState {
    /// Sets properties of an object.
    ///
    /// Only what really changes is returned: no change when all reads as wanted.
    ///
    /// A property of the unique key is written to every member of the group, any other to its representative. A counter is
    /// brought to its value by an increment.
    /// - Throws: `deleted`, `notHereYet`, `typeMismatch`.
    package func planUpdate(_ id: ObjectID, _ values: [PropertyValue]) throws(ProjectionError) -> [Change] {
        let group = try group(of: id)
        let key = schema.key(of: group.entity).map { WireName($0) }
        let records = records(of: group.members)
        var assignments: [ObjectID: [Assignment]] = [:]
        var changes: [Change] = []
        for value in values {
            try check(value, id)
            guard !reads(value, group, records) else { continue }
            if value.property.type == .counter {
                changes += try planCount(value, group)
                continue
            }
            let isKey = key.contains(WireName(value.property.name))
            for member in isKey ? group.members : [group.representative] {
                let seen =
                    isKey ? objects[member]?.current.registers[value.property] : held(value.property, in: records)
                assignments[member, default: []].append(
                    Assignment(value.property, new: value.value, old: seen?.value, overwrote: seen?.stamp))
            }
        }
        let updates = assignments.sorted { $0.key < $1.key }.map { member, assignments in
            Change.update(
                object: member, entity: group.entity.text, length: length(of: member), assignments: assignments)
        }
        return updates + changes
    }

    /// An update that concerns its object alone: nobody else reads another value, or is found by another one, because of it.
    package struct PlainUpdate {
        package let entity: WireName
        package let length: UInt32
        /// Empty when all reads as wanted.
        package fileprivate(set) var assignments: [Assignment] = []
        /// The record with them.
        fileprivate var record: ObjectRecord
    }

    /// What ``planUpdate(_:_:)`` plans, where that is an update of one object and changes nothing else.
    ///
    /// Nil otherwise, and where an update is to be refused.
    /// - Parameter stamp: of the transaction in progress, higher than all that is applied.
    package func planPlainUpdate(_ id: ObjectID, _ values: [PropertyValue], stamp: Stamp) -> PlainUpdate? {
        guard isRegular(id), let record = objects[id], record.isAlive, let entity = record.entity else { return nil }
        let key = schema.key(of: entity)
        var plan = PlainUpdate(entity: entity, length: record.length, record: record)
        for value in values {
            guard isPlain(value, outside: key) else { return nil }
            let held = plan.record.current.registers[value.property]
            if held?.value == value.value { continue }
            // Given twice: what was seen is what was there before.
            guard held?.stamp != stamp || held == record.current.registers[value.property] else { return nil }
            plan.assignments.append(
                Assignment(value.property, new: value.value, old: held?.value, overwrote: held?.stamp))
            let register = Register(stamp: stamp, isExplicit: true, value: value.value)
            plan.record.write(under: plan.length) { $0.write(value.property, register) }
        }
        return plan
    }

    /// Whether an object of an entity with this unique key may have the value, and nobody else is concerned.
    func isPlain(_ value: PropertyValue, outside key: [String]) -> Bool {
        switch value.property.type {
        case .reference, .counter, .edges: return false
        default: break
        }
        return (value.value.type == nil || value.value.type == value.property.type)
            && !key.contains { $0.hasBytes(of: value.property.name) }
    }

    /// Joins a plain update, planned on the state as it is.
    package mutating func update(_ id: ObjectID, by plan: PlainUpdate) {
        objects.set(id, .whole(plan.record), since: journal?.savepoint)
    }

    /// Adds to a counter.
    /// - Throws: `deleted`, `notHereYet`, `typeMismatch`.
    package func planIncrement(_ id: ObjectID, _ property: Property, by amount: Int64) throws(ProjectionError) -> [Change] {
        let group = try group(of: id)
        guard property.type == .counter else {
            throw ProjectionError(.typeMismatch, "\(property.name) is no counter; set its value instead", [id])
        }
        guard amount != 0 else { return [] }
        let seen: Int64 = if case .counter(let sum)? = value(of: property, among: group.members) { sum } else { 0 }
        return [
            .increment(
                object: group.representative, entity: group.entity.text, length: length(of: group.representative),
                property: property, by: amount, seen: seen)
        ]
    }

    /// What a writer sees as one object.
    package struct Group {
        package var representative: ObjectID
        package var members: [ObjectID]
        package var entity: WireName
    }

    package func group(of id: ObjectID) throws(ProjectionError) -> Group {
        let members = members(of: id)
        guard let representative = representative(among: members), let entity = objects[representative]?.entity else {
            guard length(of: id) > 0 else {
                throw ProjectionError(.notHereYet, "\(id) has not arrived; sync with a replica that has it", [id])
            }
            let reason = isAlive(id) ? "belongs to an object that was deleted" : "was deleted; restore it first"
            throw ProjectionError(.deleted, "\(id) \(reason)", [id])
        }
        return Group(representative: representative, members: members, entity: entity)
    }

    private func check(_ value: PropertyValue, _ id: ObjectID) throws(ProjectionError) {
        guard value.property.type != .edges, value.value.type == nil || value.value.type == value.property.type else {
            let given = value.value.type.map { "\($0)" } ?? "null"
            throw ProjectionError(.typeMismatch, "\(value.property.name) holds \(value.property.type), not \(given)", [id])
        }
    }

    /// Whether a property is present and reads as the value wanted.
    private func reads(_ wanted: PropertyValue, _ group: Group, _ records: [ObjectRecord]) -> Bool {
        guard let raw = value(of: wanted.property, in: records) else { return false }
        guard case .reference(let target) = raw else { return raw == wanted.value }
        let resolved = resolve(target, through: wanted.property, of: group.entity)
        guard case .reference(let goal) = wanted.value else { return wanted.value == .null && resolved == .null }
        // A one-to-one reference that another object's keeps from being read is to be set anew, and can be emptied.
        guard read(target, through: wanted.property, of: group.entity, by: group.members) == resolved else { return false }
        return goal == target || (resolved.object.map { representative(of: goal) == $0 } ?? false)
    }

    private func planCount(_ wanted: PropertyValue, _ group: Group) throws(ProjectionError) -> [Change] {
        guard case .counter(let goal) = wanted.value else {
            throw ProjectionError(
                .typeMismatch, "\(wanted.property.name) is a counter and cannot be null", [group.representative])
        }
        let seen: Int64 = if case .counter(let sum)? = value(of: wanted.property, among: group.members) { sum } else { 0 }
        return try planIncrement(group.representative, wanted.property, by: goal &- seen)
    }
}
