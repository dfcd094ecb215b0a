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
            index.addEdge(from: owner, property, to: target)
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

    /// Changes a record together with the index.
    ///
    /// A record is made where there is none: deleted when the object's creation is
    /// covered, for then it was there and is gone.
    mutating func withRecord(_ id: ObjectID, _ change: (inout ObjectRecord) -> Void) {
        let old = objects[id].flatMap { terms(of: $0) }
        if journal != nil { journal?.note(id, objects[id]) }
        let start = ObjectRecord(length: covers(id) ? 2 : 0)
        change(&objects[id, default: start])
        index.replace(id, old, by: objects[id].flatMap { terms(of: $0) })
    }

    /// Merges a declaration; where it changes the unique key, the entity's objects are indexed anew.
    mutating func merge(_ declaration: EntityDeclaration, stamp: Stamp) {
        journal?.note(schema)
        var merged = schema
        merged.merge(declaration, stamp: stamp)
        replaceSchema(by: merged)
    }

    mutating func replaceSchema(by new: SchemaState) {
        let changed = Set(schema.names).union(new.names).filter { schema.key(of: $0) != new.key(of: $0) }
        let affected = changed.flatMap { index.living[$0] ?? [] }
        let old = affected.map { objects[$0].flatMap { terms(of: $0) } }
        schema = new
        for (id, old) in zip(affected, old) {
            index.replace(id, old, by: objects[id].flatMap { terms(of: $0) })
        }
    }

    /// What a living object is found by; nil for any other.
    func terms(of record: ObjectRecord) -> FoldIndex.Terms? {
        guard record.isAlive, let entity = record.entity else { return nil }
        var terms = FoldIndex.Terms(entity: entity, key: uniqueKey(of: record))
        for (property, register) in record.current?.registers ?? [:] {
            if case .reference(let target) = register.value { terms.references[property] = target }
        }
        return terms
    }
}

extension Epoch {
    fileprivate mutating func write(_ values: [PropertyValue], stamp: Stamp) {
        for value in values {
            write(value.property, Register(stamp: stamp, isExplicit: false, value: value.value))
        }
    }
}
