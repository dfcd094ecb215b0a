import EventLog
public import Projection

// Typed objects.
extension WriteTransaction {
    /// Inserts an object; returns it with its permanent id.
    ///
    /// - Throws: ``StoreError`` `duplicateKey` when another object has its unique key, `notHereYet` for a reference to an object
    ///   that was never inserted, `blobMissing` or `storage` for a blob that cannot be read.
    @discardableResult
    public func insert<Root: Entity>(_ object: Root) throws -> Root {
        try check()
        if let rows = rows(of: Root.self) {
            let id = nextID
            if try gather({ rows.append(object, to: &$0) }) {
                var inserted = object
                inserted.id = EntityID(id)
                return inserted
            }
        }
        return try insertAlone(object)
    }

    private func insertAlone<Root: Entity>(_ object: Root) throws -> Root {
        try wrapped(settling: false) {
            let codec = try codec(Root.self)
            let id = nextID
            let insertion = try codec.insertion(of: object, as: id, blobs: self)
            try whole {
                try add(id, codec.declaration.name, insertion.values)
                try link(insertion.links)
            }
            var inserted = object
            inserted.id = EntityID(id)
            return inserted
        }
    }

    /// Inserts an object, or merges it into the one that has its unique key.
    ///
    /// - Returns: the id of the object that now has the values, and what became of them.
    /// - Throws: ``StoreError`` `incompleteKey` without a complete unique key, `duplicateKey` under the policy `fail`.
    @discardableResult
    public func upsert<Root: Entity>(
        _ object: Root, policy: MergePolicy = .overwrite
    ) throws -> (id: EntityID<Root>, outcome: UpsertOutcome) {
        try wrapped(settling: false) {
            let codec = try codec(Root.self)
            let new = nextID
            let insertion = try codec.insertion(of: object, as: new, blobs: self)
            return try whole {
                let (id, outcome) = try put(codec.declaration.name, insertion.values, policy: policy)
                if policy == .keepStored, outcome != .inserted { return (EntityID(id), outcome) }
                let before = changes
                try link(insertion.links.map { $0.naming(id, insteadOf: new) })
                return (EntityID(id), outcome == .unchanged && changes > before ? .updated : outcome)
            }
        }
    }

    /// Changes an object; only the properties that `change` leaves different are recorded.
    ///
    /// - Returns: the object as it is now.
    /// - Throws: ``StoreError`` `deleted`, `notHereYet`, `duplicateKey`; and what `change` throws.
    @discardableResult
    public func update<Root: Entity>(_ id: EntityID<Root>, _ change: (inout Root) throws -> Void) throws -> Root {
        try wrapped {
            let codec = try codec(Root.self)
            guard let old = reader.get(id.object, codec) else { throw absent(id.object, codec.declaration.name) }
            var new = old
            try change(&new)
            let object = old.id.object
            let changes = try codec.changes(from: old, to: new, as: object, blobs: self)
            try whole {
                try set(object, changes.values)
                for increment in changes.increments {
                    try make(try reader.state.planIncrement(object, increment.property, by: increment.by))
                }
                try link(changes.links)
            }
            return reader.get(object, codec) ?? new
        }
    }

    /// Brings a deleted object back as `object`, which has its id.
    ///
    /// - Throws: ``StoreError`` `notDeleted`; `duplicateKey` when another object has its unique key by now.
    public func restore<Root: Entity>(_ object: Root) throws {
        try wrapped {
            let codec = try codec(Root.self)
            let id = object.id.object
            let insertion = try codec.insertion(of: object, as: id, blobs: self)
            let name = WireName(codec.declaration.name)
            let planned = try reader.state.planRestore(id, entity: name, insertion.values)
            if hasKey(insertion.values, of: codec.declaration.name) {
                _ = try reader.state.planUpsert(name, insertion.values, as: id, policy: .fail)
            }
            try whole {
                try make(planned)
                try link(insertion.links)
            }
        }
    }

    /// The object as the transaction sees it, or nil when it is not there.
    ///
    /// - Throws: ``StoreError`` `unknownEntity` for a type the store was not opened with, `closed` outside the closure.
    public func get<Root: Entity>(_ id: EntityID<Root>) throws -> Root? {
        try wrapped { reader.get(id.object, try codec(Root.self)) }
    }

    /// The objects that a request selects, as the transaction sees them.
    ///
    /// - Throws: ``StoreError`` `unknownEntity`, `invalidPredicate`, `unknownProperty`; `storage` for a run that
    ///   cannot be read: the write fails, and succeeds when it is tried again.
    public func fetch<Root: Entity>(_ request: FetchRequest<Root>) throws -> [Root] {
        try wrapped { try reader.fetch(request, try codec(Root.self)) }
    }

    /// How many objects a request selects, as the transaction sees them.
    ///
    /// - Throws: as ``fetch(_:)``.
    public func count<Root: Entity>(_ request: FetchRequest<Root>) throws -> Int {
        try wrapped { try reader.count(request.description) }
    }

    /// Deletes an object, by the delete rules of its relationships.
    ///
    /// - Throws: ``StoreError`` `denied` naming who refers to it, `deleted`, `notHereYet`.
    public func delete<Root: Entity>(_ id: EntityID<Root>) throws { try delete(id.object) }

    /// Deletes all objects that a request selects, in one step, so that objects that refer to each other can go together.
    ///
    /// - Returns: how many it selected.
    /// - Throws: ``StoreError`` `denied` naming who refers to one of them, and as ``fetch(_:)``.
    @discardableResult
    public func delete<Root: Entity>(_ request: FetchRequest<Root>) throws -> Int {
        try wrapped {
            let ids = try reader.ids(request.description)
            try make(try reader.state.planDelete(ids))
            return ids.count
        }
    }

    func absent(_ id: ObjectID, _ entity: String) -> StoreError {
        do throws(ProjectionError) {
            let group = try reader.state.group(of: id)
            return StoreError(.typeMismatch, "\(id) is of \(group.entity), not of \(entity)", objects: [id])
        } catch {
            return StoreError(error)
        }
    }
}
