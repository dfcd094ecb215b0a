package import EventLog

extension FoldState {
    /// Deletes objects, with the delete rules acting on what the writer sees: `cascade` takes objects along, `nullify` empties
    /// references, `deny` refuses, `noAction` leaves references dangling.
    ///
    /// Of a key group every member is deleted. A one-to-one reference that reads null is emptied, whatever the rule.
    ///
    /// - Throws: `deniedByReferrers` naming who refers, `deleted`, `notHereYet`.
    package func planDelete(_ ids: [ObjectID]) throws(ProjectionError) -> [Change] {
        var plan = DeletePlan()
        for id in ids { plan.doom(try group(of: id).representative) }
        while let object = plan.next() {
            for end in referrers(of: object) {
                let rule = isRead(end, as: object) ? rule(of: end) : .nullify
                plan.note(rule, other: end.object, against: object, referrer: end)
            }
            guard let entity = objects[object]?.entity else { continue }
            for field in schema.fields(of: entity) {
                guard let relationship = field.relationship, relationship.storage != .inverse else { continue }
                for other in related(to: object, through: field) {
                    plan.note(relationship.deleteRule, other: other, against: object, referrer: nil)
                }
            }
        }
        if let denied = plan.denials.first(where: { !plan.isDoomed($0.by) }) {
            let others = Set(plan.denials.map(\.by)).filter { !plan.isDoomed($0) }.sorted()
            let names = others.prefix(3).map { uri(of: $0) }.joined(separator: ", ")
            throw ProjectionError(
                .deniedByReferrers,
                "\(uri(of: denied.object)) cannot be deleted: \(others.count) objects refer to it under the rule deny (\(names)); "
                    + "delete or change them first",
                [denied.object] + others)
        }
        var changes: [Change] = []
        for (object, ends) in Dictionary(grouping: plan.emptied, by: \.object).sorted(by: { $0.key < $1.key }) {
            guard !plan.isDoomed(object) else { continue }
            changes += try planUpdate(object, Set(ends.map(\.property)).sorted().map { PropertyValue($0, .null) })
        }
        for object in plan.doomed {
            let members = members(of: object)
            for member in members { changes += deletion(of: member, seenAs: members) }
        }
        return changes
    }

    /// The end of one object, after the end of its edges, so that the transaction tells all that a restore needs.
    func deletion(of id: ObjectID, seenAs members: [ObjectID]) -> [Change] {
        guard let record = objects[id], let entity = record.entity else { return [] }
        var changes: [Change] = []
        for (property, targets) in record.current.edges {
            for (target, length) in targets.sorted(by: { $0.key < $1.key }) where !length.isMultiple(of: 2) {
                changes.append(
                    .edge(
                        owner: id, entity: entity.text, property: property, target: target, ownerLength: record.length,
                        length: length + 1))
            }
        }
        changes.append(
            .delete(object: id, entity: entity.text, length: record.length + 1, seen: values(of: members)))
        return changes
    }
}

/// What a delete takes along, empties and is refused by.
///
/// Cycles end because an object is doomed once.
private struct DeletePlan {
    private(set) var doomed: [ObjectID] = []
    private(set) var emptied: [End] = []
    private(set) var denials: [(by: ObjectID, object: ObjectID)] = []
    private var isDoomed: Set<ObjectID> = []
    private var visited = 0

    mutating func doom(_ id: ObjectID) {
        if isDoomed.insert(id).inserted { doomed.append(id) }
    }

    mutating func next() -> ObjectID? {
        guard visited < doomed.count else { return nil }
        visited += 1
        return doomed[visited - 1]
    }

    func isDoomed(_ id: ObjectID) -> Bool { isDoomed.contains(id) }

    /// `referrer`: the register that refers to `object`, when there is one to empty.
    mutating func note(
        _ rule: Relationship.DeleteRule, other: ObjectID, against object: ObjectID, referrer: End?
    ) {
        switch rule {
        case .cascade: doom(other)
        case .deny: denials.append((other, object))
        case .nullify: if let referrer { emptied.append(referrer) }
        case .noAction: break
        }
    }
}
