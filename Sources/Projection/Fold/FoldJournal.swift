package import EventLog

/// What was there before a transaction in progress touched it.
struct FoldJournal: Sendable {
    private(set) var objects: [ObjectID: ObjectRecord?] = [:]
    private(set) var origins: [ReplicaID: AppliedOrigin?] = [:]
    private(set) var schema: SchemaState?

    mutating func note(_ id: ObjectID, _ record: ObjectRecord?) {
        if objects[id] == nil { objects[id] = .some(record) }
    }

    mutating func note(_ name: ReplicaID, _ origin: AppliedOrigin?) {
        if origins[name] == nil { origins[name] = .some(origin) }
    }

    mutating func note(_ schema: SchemaState) {
        if self.schema == nil { self.schema = schema }
    }
}

extension FoldState {
    /// From here on everything can be taken back, at a cost of what is touched.
    package mutating func begin() {
        precondition(journal == nil, "a transaction is in progress on this state")
        journal = FoldJournal()
    }

    /// Keeps everything since ``begin()``.
    package mutating func commit() {
        precondition(journal != nil, "no transaction is in progress on this state")
        journal = nil
    }

    /// Takes back everything since ``begin()``.
    package mutating func rollback() {
        precondition(journal != nil, "no transaction is in progress on this state")
        guard let journal else { return }
        self.journal = nil
        for (id, record) in journal.objects {
            let old = objects[id].flatMap { terms(of: $0) }
            objects[id] = record
            index.replace(id, old, by: record.flatMap { terms(of: $0) })
        }
        for (name, origin) in journal.origins { origins[name] = origin }
        if let schema = journal.schema { replaceSchema(by: schema) }
    }

    /// Whether ``begin()`` was called, and neither ``commit()`` nor ``rollback()`` since.
    package var isInTransaction: Bool { journal != nil }

    /// The objects touched since ``begin()``, ascending.
    package var touched: [ObjectID] { journal?.objects.keys.sorted() ?? [] }
}
