package import EventLog

extension FoldState {
    /// Joins one change, made under `stamp`.
    package mutating func apply(_ change: Change, stamp: Stamp) {
        switch change {
        case .insert(let object, let entity, let values):
            withRecord(object) { record in
                record.arrive(WireName(entity), created: stamp.timestamp, length: 1)
                record.write(under: 1) { $0.write(values, stamp: stamp) }
            }
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
        case .rename, .unknown:
            break
        }
    }

    /// Changes a record, and makes the object be found by what is new in it.
    ///
    /// A record is made where there is none: deleted when the object's creation is
    /// covered, for then it was there and is gone.
    mutating func withRecord(_ id: ObjectID, _ change: (inout ObjectRecord) -> Void) {
        let old = objects[id]
        var record = old ?? ObjectRecord(length: covers(id) ? 2 : 0)
        change(&record)
        objects.set(id, record, since: journal?.savepoint)
        let known = old.map { FoldTerms(of: $0, schema) } ?? FoldTerms()
        let terms = FoldTerms(of: record, schema)
        if terms != known { for hash in terms.hashes(without: known) { objects.add(hash, id) } }
        trackIrregular(id, from: old, known, to: record, terms)
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
    fileprivate mutating func write(_ values: [PropertyValue], stamp: Stamp) {
        if registers.isEmpty { registers.reserveCapacity(values.count) }
        for value in values {
            write(value.property, Register(stamp: stamp, isExplicit: false, value: value.value))
        }
    }
}
