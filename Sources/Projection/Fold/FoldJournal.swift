import EventLog

/// What was there before a transaction in progress touched it.
struct FoldJournal: Sendable {
    /// What may be overwritten: what was set since.
    private(set) var savepoint: RecordTable.Savepoint
    /// Where the transaction began, in `frozen` if that is set.
    private let start: RecordTable.Savepoint
    /// The records when the first of them were frozen.
    private var frozen: RecordTable?
    private(set) var origins: [ReplicaID: AppliedOrigin?] = [:]
    private(set) var schema: SchemaState?
    private let irregular: IrregularObjects?

    init(_ state: FoldState) {
        savepoint = state.objects.savepoint
        irregular = state.irregular
        start = savepoint
    }

    /// Keeps the records for a rollback; to be called before they are frozen.
    mutating func keep(_ objects: RecordTable, since savepoint: RecordTable.Savepoint) {
        if frozen == nil { frozen = objects }
        self.savepoint = savepoint
    }

    func restore(_ state: inout FoldState) {
        if let frozen { state.objects = frozen }
        state.objects.rollback(to: start)
        state.irregular = irregular
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
        journal = FoldJournal(self)
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
        journal.restore(&self)
        for (name, origin) in journal.origins { origins[name] = origin }
        if let schema = journal.schema { self.schema = schema }
    }

    /// A copy to be read only, which does not make later changes of this state dearer.
    package mutating func view() -> FoldState {
        let objects = objects.view()
        var view = self
        view.objects = objects
        view.journal = nil
        return view
    }

    /// Puts what was written so far below a new level of records, so that it can be written to a run.
    package mutating func freeze() {
        let before = objects
        objects.freeze()
        journal?.keep(before, since: objects.savepoint)
    }

    /// Puts runs in the place of the old base and of the oldest frozen levels, which they have the records of.
    package mutating func replaceBase(_ runs: RunSet, withFrozen count: Int) { objects.replaceBase(runs, withFrozen: count) }

    /// Whether ``begin()`` was called, and neither ``commit()`` nor ``rollback()`` since.
    package var isInTransaction: Bool { journal != nil }
}
