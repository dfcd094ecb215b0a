package import EventLog

/// What an upsert does when an object with the unique key is there.
public enum MergePolicy: Sendable, Hashable {
    /// What is stored stays as it is, relationships included; properties that were never set are filled in.
    case keepStored
    /// The new values are written over the stored ones.
    case overwrite
    /// The upsert throws `duplicateKey`.
    case fail
}

extension FoldState {
    /// Inserts an object, or merges it into the one that has its unique key.
    ///
    /// `id`: the id for a new object.
    /// Returns the object that now has the values, and the changes.
    /// Throws `duplicateKey`, `incompleteKey`, `typeMismatch`.
    package func planUpsert(
        _ entity: WireName, _ values: [PropertyValue], as id: ObjectID, policy: MergePolicy
    ) throws(ProjectionError) -> (object: ObjectID, changes: [Change]) {
        let names = schema.key(of: entity)
        var key: [Value] = []
        for name in names {
            let given = values.last { WireName($0.property.name) == WireName(name) && $0.value != .null }
            guard let given else {
                throw ProjectionError(.incompleteKey, "\(entity) needs a value for \(name), which is part of its unique key")
            }
            key.append(given.value)
        }
        guard let stored = lookup(entity, key: key) else {
            return (id, [.insert(object: id, entity: entity.text, values: values)])
        }
        switch policy {
        case .fail:
            let values = zip(names, key).map { UniqueKey.text($0, $1) }.joined(separator: ", ")
            throw ProjectionError(
                .duplicateKey,
                "a new \(entity) cannot have \(values): \(uri(of: stored)) has it; update that one, or give another value",
                [stored])
        case .overwrite:
            return (stored, try planUpdate(stored, values))
        case .keepStored:
            let records = records(of: members(of: stored))
            return (stored, try planUpdate(stored, values.filter { value(of: $0.property, in: records) == nil }))
        }
    }
}
