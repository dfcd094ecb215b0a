package import EventLog

extension FoldState {
    /// The visible objects at the other end of a field, ascending.
    ///
    /// `id` may be any member of its group.
    package func related(to id: ObjectID, through field: FieldDeclaration) -> [ObjectID] {
        guard let relationship = field.relationship, let entity = objects[id]?.entity else { return [] }
        switch relationship.storage {
        case .register:
            let members = members(of: id)
            guard case .reference(let target)? = held(field.property, among: members)?.value else { return [] }
            return read(target, through: field.property, of: entity, by: members).object.map { [$0] } ?? []
        case .inverse:
            let ends = derived(of: id, field, in: entity)
            return relationship.isToMany ? ends.map(\.object) : holder(among: ends).map { [$0] } ?? []
        case .edges:
            return edges(from: id, field.property)
        case .inverseEdges:
            guard let owner = schema.inverse(of: field, in: entity)?.property else { return [] }
            return edges(to: id, owner, in: WireName(relationship.target))
        }
    }

    /// The visible objects that refer to this one or to another member of its group, once per property, ascending.
    package func referrers(of id: ObjectID) -> [End] {
        guard let representative = representative(of: id) else { return [] }
        var ends: Set<End> = []
        for member in members(of: representative) {
            for end in registers(referringTo: member) {
                let group = members(of: end.object)
                guard let object = self.representative(among: group), let entity = objects[object]?.entity,
                    case .reference(let target)? = held(end.property, among: group)?.value,
                    resolve(target, through: end.property, of: entity).object == representative
                else { continue }
                ends.insert(End(object: object, property: end.property))
            }
        }
        return ends.sorted()
    }

    /// Those of them that refer through one property of an entity.
    func referrers(of id: ObjectID, through property: Property, of entity: WireName) -> [End] {
        referrers(of: id).filter { $0.property == property && objects[$0.object]?.entity == entity }
    }

    /// Of the objects that refer to one through one property, the one that a to-one at the other end reads: its register has
    /// the highest (stamp, id).
    func holder(among ends: [End]) -> ObjectID? {
        let last = ends.max { a, b in
            let (first, second) = (stamp(at: a), stamp(at: b))
            return first != second ? first < second : a < b
        }
        return last?.object
    }

    /// Whether a referrer's reference reads as `object`; of several that refer to it one-to-one, one's does.
    func isRead(_ end: End, as object: ObjectID) -> Bool {
        guard let entity = objects[end.object]?.entity, schema.isOneToOne(end.property, in: entity) else { return true }
        return holder(among: referrers(of: object, through: end.property, of: entity)) == end.object
    }

    /// The delete rule that holds for a referrer.
    package func rule(of end: End) -> Relationship.DeleteRule {
        objects[end.object]?.entity.map { schema.rule(of: end.property, in: $0) } ?? .nullify
    }

    /// The visible targets of the edges that start at an object or at another member of its group, ascending.
    package func edges(from id: ObjectID, _ property: Property) -> [ObjectID] {
        var targets: Set<ObjectID> = []
        for member in members(of: id) {
            for target in objects[member]?.current.targets(of: property) ?? [] {
                if let visible = representative(of: target) { targets.insert(visible) }
            }
        }
        return targets.sorted()
    }

    /// The visible owners, of an entity, of the edges that end at an object or at another member of its group, ascending.
    package func edges(to id: ObjectID, _ property: Property, in entity: WireName) -> [ObjectID] {
        var owners: Set<ObjectID> = []
        for member in members(of: id) {
            for owner in objects.candidates(FoldTerms.hash(edgesTo: member)) {
                guard let record = objects[owner], record.entity == entity,
                    record.current.hasEdge(property, member), let visible = representative(of: owner)
                else { continue }
                owners.insert(visible)
            }
        }
        return owners.sorted()
    }

    /// The registers of living objects that hold a reference.
    func registers(referringTo id: ObjectID) -> [End] {
        objects.candidates(FoldTerms.hash(referrersOf: id)).flatMap { object -> [End] in
            guard let record = objects[object], record.isAlive else { return [] }
            return record.current.registers.filter { $0.value.value == .reference(id) }
                .map { End(object: object, property: $0.key) }
        }
    }

    private func derived(of id: ObjectID, _ field: FieldDeclaration, in entity: WireName) -> [End] {
        guard let relationship = field.relationship, let back = schema.inverse(of: field, in: entity)?.property else {
            return []
        }
        return referrers(of: id, through: back, of: WireName(relationship.target))
    }

    private func stamp(at end: End) -> Stamp? { held(end.property, among: members(of: end.object))?.stamp }
}

extension Epoch {
    func hasEdge(_ property: Property, _ target: ObjectID) -> Bool {
        !(edges[property]?[target] ?? 0).isMultiple(of: 2)
    }
}

extension Optional where Wrapped == Stamp {
    fileprivate static func < (a: Stamp?, b: Stamp?) -> Bool {
        switch (a, b) {
        case (let a?, let b?): a < b
        case (nil, _?): true
        default: false
        }
    }
}
