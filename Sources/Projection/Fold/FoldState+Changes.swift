package import EventLog

extension FoldState {
    /// Joins one change, made under `stamp`.
    package mutating func apply(_ change: Change, stamp: Stamp) {
        switch change {
        case .insert(let object, let entity, let values):
            insert(object, Insertion(entity: WireName(entity), stamp: stamp, values: values))
        case .update(let object, let entity, let length, let assignments):
            withRecord(object) { record in
                record.mention(WireName(entity))
                record.write(under: length) { epoch in
                    for assignment in assignments {
                        let register = Register(stamp: stamp, isExplicit: true, value: assignment.new)
                        epoch.write(assignment.property, register)
                    }
                }
            }
        case .delete(let object, let entity, let length, _):
            withRecord(object) { record in
                record.mention(WireName(entity))
                record.raise(to: length)
            }
        case .restore(let object, let entity, let length, let values):
            withRecord(object) { record in
                record.arrive(WireName(entity), created: stamp.timestamp, length: length)
                record.write(under: length) { $0.write(values, stamp: stamp) }
            }
        case .edge(let owner, let entity, let property, let target, let ownerLength, let length):
            withRecord(owner) { record in
                record.mention(WireName(entity))
                record.write(under: ownerLength) { $0.edge(property, to: target, length: length) }
            }
        case .increment(let object, let entity, let length, let property, let amount, _):
            withRecord(object) { record in
                record.mention(WireName(entity))
                record.write(under: length) { $0.increment(property, by: amount, origin: stamp.replica) }
            }
        case .schema(let declaration):
            merge(declaration, stamp: stamp)
        case .rename, .undo, .unknown:
            break
        }
    }

    /// An object that nothing is known of is kept as its insert; to what is known of others the insert is added.
    private mutating func insert(_ id: ObjectID, _ insertion: Insertion) {
        guard !covers(id), !objects.contains(id) else { return withRecord(id) { insertion.join(into: &$0) } }
        let terms = FoldTerms(of: insertion, schema)
        insert(id, insertion, terms, rivals: irregular == nil ? [] : terms.key.map { holders(of: $0) } ?? [])
    }

    /// Joins the insert of an object; see ``insert(_:_:)``.
    mutating func insertFirst(_ id: ObjectID, _ insertion: Insertion) { insert(id, insertion) }

    /// Adds an object of which nothing was known.
    ///
    /// - Parameters:
    ///   - terms: of the insertion.
    ///   - rivals: the living objects that have its key.
    private mutating func insert(_ id: ObjectID, _ insertion: Insertion, _ terms: FoldTerms, rivals: [ObjectID]) {
        objects.set(id, .inserted(insertion), since: journal?.savepoint)
        for hash in terms.hashes { objects.add(hash, id) }
        guard irregular != nil else { return }
        trackKey(of: id, sharedWith: rivals)
        trackReferences(of: id, terms.references, as: insertion.entity)
    }

    /// What an object would be found by, if its insert changes nothing for any other object.
    ///
    /// Nil if it may: another one has, or had, its unique key, or may lose a partner to it.
    package func termsOfUnrivalled(_ insertion: Insertion) -> FoldTerms? {
        guard !schema.hasOneToOnes(insertion.entity) else { return nil }
        let terms = FoldTerms(of: insertion, schema)
        guard let key = terms.keyHash else { return terms }
        return objects.candidates(key).isEmpty ? terms : nil
    }

    /// Joins the insert of a new object.
    ///
    /// - Parameter terms: from ``termsOfUnrivalled(_:)`` on the state as it is.
    package mutating func insertUnrivalled(_ id: ObjectID, _ insertion: Insertion, _ terms: FoldTerms) {
        insert(id, insertion, terms, rivals: [])
    }

    /// Changes a record, and makes the object be found by what is new in it.
    ///
    /// A record is made where there is none: deleted when the object's creation is
    /// covered, for then it was there and is gone.
    mutating func withRecord(_ id: ObjectID, _ change: (inout ObjectRecord) -> Void) {
        let old = objects[id]
        var record = old ?? ObjectRecord(length: covers(id) ? 2 : 0)
        change(&record)
        objects.set(id, .whole(record), since: journal?.savepoint)
        let known = old.map { FoldTerms(of: $0, schema) } ?? FoldTerms()
        let terms = FoldTerms(of: record, schema)
        if terms != known { for hash in terms.hashes(without: known) { objects.add(hash, id) } }
        guard irregular != nil else { return }
        if !record.isAlive, record.length > old?.length ?? 0 { trackEnd(of: id) }
        guard record.isAlive, let entity = record.entity else { return }
        if let key = terms.key, key != known.key { trackKey(of: id, sharedWith: holders(of: key, except: id)) }
        if old?.isAlive != true || terms.references != known.references {
            trackReferences(of: id, terms.references, as: entity)
        }
    }

    /// Merges a declaration; where it changes the unique key, the entity's objects are found by their new one.
    mutating func merge(_ declaration: EntityDeclaration, stamp: Stamp) {
        journal?.note(schema)
        var merged = schema
        merged.merge(declaration, stamp: stamp)
        replaceSchema(by: merged)
    }

    mutating func replaceSchema(by new: SchemaState) {
        let rekeyed = Set(schema.names).union(new.names).filter { schema.key(of: $0) != new.key(of: $0) }
        let related = schema.relatedOtherwise(than: new)
        schema = new
        if !rekeyed.isEmpty {
            var found: [(UInt64, ObjectID)] = []
            objects.visit(of: rekeyed) { id, record in
                if let key = record.uniqueKey(by: schema) { found.append((FoldTerms.hash(key), id)) }
            }
            for (hash, id) in found { objects.add(hash, id) }
        }
        if !rekeyed.isEmpty || !related.isEmpty { trackIrregular(of: rekeyed.union(related)) }
    }
}

extension Epoch {
    mutating func write(_ values: [PropertyValue], stamp: Stamp) {
        if registers.isEmpty { registers.reserveCapacity(values.count) }
        for value in values {
            write(value.property, Register(stamp: stamp, isExplicit: false, value: value.value))
        }
    }
}
