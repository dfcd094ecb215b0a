extension TransactionBuilder {
    /// Adds a change of whatever kind; one that this version does not know is left out.
    ///
    /// - Returns: the object that an insert made; its id is this transaction's next, whatever the change says.
    @discardableResult
    package func add(_ change: Change) throws -> ObjectID? {
        switch change {
        case .insert(_, let entity, let values): return try insert(entity, values)
        case .update(let object, let entity, let length, let assignments):
            try update(object, entity: entity, length: length, assignments)
        case .delete(let object, let entity, let length, let seen):
            try delete(object, entity: entity, length: length, seen: seen)
        case .restore(let object, let entity, let length, let values):
            try restore(object, entity: entity, length: length, values: values)
        case .edge(let owner, let entity, let property, let target, let ownerLength, let length):
            try edge(
                owner: owner, entity: entity, property: property, target: target, ownerLength: ownerLength, length: length)
        case .increment(let object, let entity, let length, let property, let amount, let seen):
            try increment(object, entity: entity, length: length, property: property, by: amount, seen: seen)
        case .schema(let declaration): try schema(declaration)
        case .rename(let former): try rename(former: former)
        case .undo(let origin, let sequence): try undo(origin: origin, sequence: sequence)
        case .unknown: break
        }
        return nil
    }
}
