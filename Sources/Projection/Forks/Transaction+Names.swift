import EventLog

extension Transaction {
    /// The same transaction with other names for the origins in it.
    func named(
        origin: ReplicaID, context: [ContextEntry], object: (ObjectID) -> ObjectID, stamp: (Stamp) -> Stamp
    ) -> Transaction {
        Transaction(
            header: TransactionHeader(
                origin: origin, sequence: header.sequence, timestamp: header.timestamp, author: header.author,
                isVoid: header.isVoid, context: context, previousChain: header.previousChain, chain: header.chain),
            changes: changes.map { $0.named(object: object, stamp: stamp) })
    }
}

extension Change {
    fileprivate func named(object name: (ObjectID) -> ObjectID, stamp: (Stamp) -> Stamp) -> Change {
        switch self {
        case .insert(let object, let entity, let values):
            .insert(object: name(object), entity: entity, values: values.map { $0.named(name) })
        case .update(let object, let entity, let length, let assignments):
            .update(
                object: name(object), entity: entity, length: length,
                assignments: assignments.map { assignment in
                    Assignment(
                        assignment.property, new: assignment.new.named(name), old: assignment.old?.named(name),
                        overwrote: assignment.overwrote.map(stamp))
                })
        case .delete(let object, let entity, let length, let seen):
            .delete(object: name(object), entity: entity, length: length, seen: seen.map { $0.named(name) })
        case .restore(let object, let entity, let length, let values):
            .restore(object: name(object), entity: entity, length: length, values: values.map { $0.named(name) })
        case .edge(let owner, let entity, let property, let target, let ownerLength, let length):
            .edge(
                owner: name(owner), entity: entity, property: property, target: name(target), ownerLength: ownerLength,
                length: length)
        case .increment(let object, let entity, let length, let property, let amount, let seen):
            .increment(object: name(object), entity: entity, length: length, property: property, by: amount, seen: seen)
        case .undo(let origin, let sequence):
            .undo(origin: name(ObjectID(replica: origin, sequence: sequence, index: 0)).replica, sequence: sequence)
        case .schema, .rename, .unknown: self
        }
    }
}

extension PropertyValue {
    fileprivate func named(_ name: (ObjectID) -> ObjectID) -> PropertyValue { PropertyValue(property, value.named(name)) }
}

extension Value {
    fileprivate func named(_ name: (ObjectID) -> ObjectID) -> Value {
        if case .reference(let target) = self { .reference(name(target)) } else { self }
    }
}
