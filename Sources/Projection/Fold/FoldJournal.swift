import EventLog

/// What was there before a transaction in progress touched it.
struct FoldJournal: Sendable {
    let savepoint: RecordTable.Savepoint
    private(set) var origins: [ReplicaID: AppliedOrigin?] = [:]
    private(set) var schema: SchemaState?

    init(savepoint: RecordTable.Savepoint) { self.savepoint = savepoint }

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
        journal = FoldJournal(savepoint: objects.savepoint)
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
        objects.rollback(to: journal.savepoint)
        for (name, origin) in journal.origins { origins[name] = origin }
        if let schema = journal.schema { self.schema = schema }
    }

    /// Whether ``begin()`` was called, and neither ``commit()`` nor ``rollback()`` since.
    package var isInTransaction: Bool { journal != nil }
}
