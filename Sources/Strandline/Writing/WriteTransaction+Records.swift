package import EventLog
import Projection

// Records from outside: rows of a table, objects of a JSON file.
extension WriteTransaction {
    /// Inserts a record, or writes it over the object that has its unique key.
    ///
    /// A null for a property that the stored object never had is left out: a record that is written twice changes nothing the
    /// second time, even if the property was declared in between.
    ///
    /// The caller has declared the properties, and the values are of their types.
    /// - Throws: ``StoreError`` `incompleteKey`.
    package func merge(_ entity: String, _ values: [PropertyValue]) throws -> UpsertOutcome {
        try wrapped(settling: false) {
            // Who has no rival has no stored values either.
            if hasKey(values, of: entity), try addUnrivalled(nextID, entity, values) { return .inserted }
            try settle()
            let state = reader.state
            let name = WireName(entity)
            let key = state.schema.key(of: name).compactMap { part in
                values.last { $0.property.name.utf8.elementsEqual(part.utf8) && $0.value != .null }?.value
            }
            var wanted = values
            if values.contains(where: { $0.value == .null }), let stored = state.lookup(name, key: key) {
                let records = state.records(of: state.members(of: stored))
                wanted.removeAll { $0.value == .null && state.value(of: $0.property, in: records) == nil }
            }
            return try put(entity, wanted, policy: .overwrite).outcome
        }
    }
}
