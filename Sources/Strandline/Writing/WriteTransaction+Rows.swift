public import EventLog
public import Projection

/// What an upsert came to.
public enum UpsertOutcome: Sendable, Hashable {
    case inserted
    case updated
    /// All values were there already: nothing was recorded.
    case unchanged
}

// Without Swift types: by wire names and values.
extension WriteTransaction {
    /// Records a declaration of an entity, unless the store knows all of it.
    ///
    /// A declaration counts as new when the entity or one of its fields is, or when its version is higher.
    ///
    /// - Returns: whether it was recorded.
    /// - Throws: ``StoreError`` `tooLarge` for a declaration above the limits of a change, `closed` outside the closure.
    @discardableResult
    public func declare(_ declaration: EntityDeclaration) throws -> Bool {
        try wrapped {
            let schema = reader.state.schema
            let known = schema.declaration(of: WireName(declaration.name))
            let isKnown = declaration.fields.allSatisfy { schema.field($0.property, of: WireName(declaration.name)) != nil }
            if let known, isKnown, declaration.version <= known.version { return false }
            try make([.schema(declaration)])
            return true
        }
    }

    /// Inserts an object of an entity that the store knows.
    ///
    /// - Throws: ``StoreError`` `unknownEntity`, `unknownProperty`, `typeMismatch`, `duplicateKey`, `incompleteKey` when a property of the
    ///   unique key that is not optional has no value.
    @discardableResult
    public func insert(_ entity: String, _ values: [PropertyValue]) throws -> ObjectID {
        try wrapped(settling: false) {
            try check(values, of: entity)
            try checkKey(values, of: entity, isNew: true)
            let id = nextID
            try add(id, entity, values)
            return id
        }
    }

    /// Inserts an object, or merges it into the one that has its unique key.
    ///
    /// - Throws: ``StoreError`` `incompleteKey`, and as ``insert(_:_:)``.
    @discardableResult
    public func upsert(
        _ entity: String, _ values: [PropertyValue], policy: MergePolicy = .overwrite
    ) throws -> (id: ObjectID, outcome: UpsertOutcome) {
        try wrapped(settling: false) {
            try check(values, of: entity)
            return try put(entity, values, policy: policy)
        }
    }

    /// Sets properties of an object; those that have the value already are left out.
    ///
    /// - Returns: whether anything changed.
    /// - Throws: ``StoreError`` `deleted`, `notHereYet`, `unknownProperty`, `typeMismatch`, `duplicateKey`,
    ///   `incompleteKey` for a null in a property of the unique key that is not optional.
    @discardableResult
    public func update(_ id: ObjectID, _ values: [PropertyValue]) throws -> Bool {
        try wrapped {
            let entity = try reader.state.group(of: id).entity.text
            try check(values, of: entity)
            try checkKey(values, of: entity, isNew: false)
            let before = changes
            try set(id, values)
            return changes > before
        }
    }

    /// Sets properties of objects of one entity, one by one.
    ///
    /// - Returns: how many changed.
    func update(_ ids: [ObjectID], of entity: String, _ values: [PropertyValue]) throws -> Int {
        try wrapped {
            try check(values, of: entity)
            try checkKey(values, of: entity, isNew: false)
            return try ids.count { id in
                let before = changes
                try set(id, values)
                return changes > before
            }
        }
    }

    /// Adds to a counter, so that what others add at the same time counts as well.
    ///
    /// ```swift
    /// try await store.write { tx in try tx.increment(photo, "likes") }
    /// ```
    ///
    /// - Parameters:
    ///   - property: the wire name of a counter of the object's entity.
    ///   - amount: what to add; negative to take away.
    /// - Throws: ``StoreError`` `deleted`, `notHereYet`, `unknownProperty`, `typeMismatch` for what is no counter.
    public func increment(_ id: ObjectID, _ property: String, by amount: Int64 = 1) throws {
        try wrapped {
            let counter = Property(property, .counter)
            try check([PropertyValue(counter, .counter(amount))], of: try reader.state.group(of: id).entity.text)
            try make(try reader.state.planIncrement(id, counter, by: amount))
        }
    }

    /// Puts an object into a many-to-many relationship, or takes it out.
    ///
    /// ```swift
    /// try await store.write { tx in try tx.setEdge(photo, "tags", summer, isPresent: true) }
    /// ```
    ///
    /// - Returns: whether anything changed.
    /// - Throws: ``StoreError`` `deleted`, `notHereYet`, `unknownProperty` for what is no such relationship.
    @discardableResult
    public func setEdge(_ id: ObjectID, _ property: String, _ other: ObjectID, isPresent: Bool) throws -> Bool {
        try wrapped {
            let edge = Property(property, .edges)
            let state = reader.state
            let planned = try isPresent ? state.planAddEdge(id, edge, other) : state.planRemoveEdge(id, edge, other)
            try make(planned)
            return !planned.isEmpty
        }
    }

    /// Deletes an object, by the delete rules of its relationships.
    ///
    /// - Throws: ``StoreError`` `denied` naming who refers to it, `deleted`, `notHereYet`.
    public func delete(_ id: ObjectID) throws { try delete([id]) }

    /// Deletes objects in one step, so that those that refer to each other can go together.
    ///
    /// - Throws: as ``delete(_:)-(ObjectID)``.
    public func delete(_ ids: [ObjectID]) throws { try wrapped { try make(try reader.state.planDelete(ids)) } }

    /// The object as the transaction sees it, or nil when it is not there.
    ///
    /// - Throws: ``StoreError`` `closed` outside the closure.
    public func row(_ id: ObjectID) throws -> Row? { try wrapped { reader.state.row(id) } }

    /// The ids of the objects that a filter holds for, as the transaction sees them.
    ///
    /// - Throws: ``StoreError`` `unknownEntity`, `invalidPredicate`, `unknownProperty`.
    public func ids(
        of entity: String, where filter: Filter = .always(true), sortedBy sort: [SortKey] = [], limit: Int? = nil
    ) throws -> [ObjectID] {
        try wrapped {
            try reader.ids(FetchDescription(entity: entity, filter: filter, sort: sort, limit: limit))
        }
    }
}

extension WriteTransaction {
    /// Runs a step of the transaction: what the floors below throw becomes the store's error.
    ///
    /// - Parameter settling: whether the step looks at the state or adds to the log other than by
    ///   ``addUnrivalled(_:_:_:)``, before which everything gathered must be in both.
    func wrapped<Result>(settling: Bool = true, _ body: () throws -> Result) throws -> Result {
        try check()
        return try StoreError.wrap {
            if settling { try settle() }
            return try body()
        }
    }

    /// Adds a new object, refusing a unique key that another object has.
    ///
    /// Without a complete key there is nothing to refuse.
    func add(_ id: ObjectID, _ entity: String, _ values: [PropertyValue]) throws {
        if try addUnrivalled(id, entity, values) { return }
        if hasKey(values, of: entity) {
            _ = try plan(reader.state.planUpsert(WireName(entity), values, as: id, policy: .fail))
        } else {
            try make([.insert(object: id, entity: entity, values: values)])
        }
    }

    /// Adds an object, or writes it over the one that has its unique key.
    func put(
        _ entity: String, _ values: [PropertyValue], policy: MergePolicy
    ) throws -> (id: ObjectID, outcome: UpsertOutcome) {
        let id = nextID
        if hasKey(values, of: entity), try addUnrivalled(id, entity, values) { return (id, .inserted) }
        try settle()
        let before = changes
        let object = try plan(try reader.state.planUpsert(WireName(entity), values, as: id, policy: policy))
        guard object != id else { return (object, .inserted) }
        return (object, changes > before ? .updated : .unchanged)
    }

    func plan(_ plan: (object: ObjectID, changes: [Change])) throws -> ObjectID {
        try make(plan.changes)
        return plan.object
    }

    /// Sets registers and counters, refusing a unique key that another object has.
    func set(_ id: ObjectID, _ values: [PropertyValue]) throws {
        if try setPlainly(id, values) { return }
        let planned = try reader.state.planUpdate(id, values)
        guard !planned.isEmpty else { return }
        if let other = reader.state.collision(of: id, after: planned, stamp: stamp) {
            let state = reader.state
            throw StoreError(
                .duplicateKey,
                "\(state.uri(of: id)) cannot have \(state.keyText(of: other)): \(state.uri(of: other)) has it; "
                    + "give another value, or change that one first", objects: [id, other])
        }
        try make(planned)
    }

    func link(_ edits: [LinkEdit]) throws {
        if !edits.isEmpty { try settle() }
        for edit in edits {
            let state = reader.state
            switch edit {
            case .edge(let owner, _, let property, let target, let isPresent):
                let planned =
                    isPresent
                    ? try state.planAddEdge(owner, property, target) : try state.planRemoveEdge(owner, property, target)
                try make(planned)
            case .link(let holder, _, let property, let target):
                try set(holder, [PropertyValue(property, .reference(target))])
            case .unlink(let holder, _, let property, let target):
                guard StateRow(holder, in: reader.box)?.stored(property) == .reference(target) else { continue }
                try set(holder, [PropertyValue(property, .null)])
            }
        }
    }

    /// Whether the values have every part of the entity's unique key.
    func hasKey(_ values: [PropertyValue], of entity: String) -> Bool {
        let key = reader.state.schema.key(of: WireName(entity))
        return !key.isEmpty
            && key.allSatisfy { name in
                values.contains { $0.property.name.utf8.elementsEqual(name.utf8) && $0.value != .null }
            }
    }

    /// Refuses to leave a part of the unique key without a value where the schema says that there is always one, as types do.
    func checkKey(_ values: [PropertyValue], of entity: String, isNew: Bool) throws(StoreError) {
        let fields = reader.state.schema.fields(of: WireName(entity))
        for name in reader.state.schema.key(of: WireName(entity)) {
            let columns = fields.filter { $0.property.name.utf8.elementsEqual(name.utf8) }
            guard !columns.isEmpty, columns.allSatisfy({ !$0.isOptional && $0.relationship == nil }) else { continue }
            let given = values.filter { $0.property.name.utf8.elementsEqual(name.utf8) }
            if given.isEmpty ? !isNew : given.contains(where: { $0.value != .null }) { continue }
            throw StoreError(
                .incompleteKey,
                "\(entity).\(name) is part of the unique key and not optional, so it cannot be "
                    + (given.isEmpty ? "left out; give it a value" : "null; give it another value"))
        }
    }

    /// Checks names and types against the schema.
    func check(_ values: [PropertyValue], of entity: String) throws(StoreError) {
        let name = WireName(entity)
        guard reader.state.schema.declares(name) else { throw reader.unknown(entity) }
        var given: Set<Property> = []
        for value in values {
            guard given.insert(value.property).inserted else {
                throw StoreError(.typeMismatch, "\(entity).\(value.property.name) is given twice; give each property once")
            }
            guard reader.state.schema.field(value.property, of: name) != nil else {
                let fields = reader.state.schema.fields(of: name)
                if let other = fields.first(where: { $0.property.name.utf8.elementsEqual(value.property.name.utf8) }) {
                    throw StoreError(
                        .typeMismatch,
                        "\(entity).\(other.property.name) holds \(other.property.type), not \(value.property.type)")
                }
                let nearest = NearestName.of(value.property.name, among: fields.map(\.property.name))
                throw StoreError(
                    .unknownProperty,
                    "\(entity) has no property \(value.property.name)" + (nearest.map { "; did you mean \($0)?" } ?? ""))
            }
            if let type = value.value.type, type != value.property.type {
                throw StoreError(
                    .typeMismatch, "\(entity).\(value.property.name) holds \(value.property.type), not \(type)")
            }
        }
    }
}
