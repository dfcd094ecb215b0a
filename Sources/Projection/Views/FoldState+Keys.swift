package import EventLog

extension FoldState {
    /// The objects that are one with this one by their unique key, itself included, ascending; empty when it is not visible.
    package func members(of id: ObjectID) -> [ObjectID] {
        if isRegular(id) { return objects.isAlive(id) ? [id] : [] }
        guard let record = objects[id], isVisible(id) else { return [] }
        guard let key = uniqueKey(of: record) else { return [id] }
        return members(of: key)
    }

    /// The object that stands for the group: the least by (creation, id).
    ///
    /// Nil when `id` is not visible.
    package func representative(of id: ObjectID) -> ObjectID? { representative(among: members(of: id)) }

    /// The visible object with this unique key.
    ///
    /// `values`: in the order of the declared key.
    package func lookup(_ entity: WireName, key values: [Value]) -> ObjectID? {
        let names = schema.key(of: entity)
        guard !names.isEmpty, names.count == values.count else { return nil }
        var key: [PropertyValue] = []
        for (name, value) in zip(names, values) {
            guard let type = value.type else { return nil }
            key.append(PropertyValue(Property(name, type), value))
        }
        return representative(among: members(of: UniqueKey(entity: entity, values: key)))
    }

    func uniqueKey(of record: ObjectRecord) -> UniqueKey? { record.uniqueKey(by: schema) }

    /// The object that changes of `id` would make one with it, because it has the unique key that they give.
    ///
    /// `changes`: as planned for `id` and the members of its group, not applied yet.
    /// `stamp`: of the transaction in progress, higher than all that is applied.
    package func collision(of id: ObjectID, after changes: [Change], stamp: Stamp) -> ObjectID? {
        let own = members(of: id)
        for case .update(let member, let entity, let length, let assignments) in changes {
            let key = schema.key(of: WireName(entity))
            let isKey = assignments.contains { assignment in
                key.contains { $0.utf8.elementsEqual(assignment.property.name.utf8) }
            }
            guard isKey, var record = objects[member] else { continue }
            record.write(under: length) { epoch in
                for assignment in assignments {
                    epoch.write(assignment.property, Register(stamp: stamp, isExplicit: true, value: assignment.new))
                }
            }
            guard let key = uniqueKey(of: record) else { continue }
            if let other = members(of: key).first(where: { !own.contains($0) }) { return other }
        }
        return nil
    }

    /// The register that holds for a group: the highest by (explicit before not, stamp, member).
    func held(_ property: Property, among members: [ObjectID]) -> Register? { held(property, in: records(of: members)) }

    /// The records of a group: who looks at several properties takes them once, for one in memory is made when it is asked for.
    package func records(of members: [ObjectID]) -> [ObjectRecord] { members.compactMap { objects[$0] } }

    /// ``held(_:among:)``, of the records of a group.
    func held(_ property: Property, in records: [ObjectRecord]) -> Register? {
        var best: Register?
        for record in records {
            guard let register = record.current.registers[property] else { continue }
            guard let held = best else {
                best = register
                continue
            }
            let isHigher =
                register.isExplicit != held.isExplicit ? register.isExplicit : register.stamp >= held.stamp
            if isHigher { best = register }
        }
        return best
    }

    package func representative(among members: [ObjectID]) -> ObjectID? {
        members.min { a, b in
            let (first, second) = (objects[a]?.created ?? .zero, objects[b]?.created ?? .zero)
            return first != second ? first < second : a < b
        }
    }

    private func members(of key: UniqueKey) -> [ObjectID] {
        holders(of: key).filter { !isHidden($0) }.sorted()
    }

    /// The living objects that have a key, hidden ones included, without one of them.
    func holders(of key: UniqueKey, except other: ObjectID? = nil) -> [ObjectID] {
        objects.candidates(FoldTerms.hash(key)).filter { $0 != other && objects.uniqueKey(of: $0, by: schema) == key }
    }
}
