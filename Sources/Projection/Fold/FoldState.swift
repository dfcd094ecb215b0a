package import EventLog

// Invariants
// * The state is a function of the set of applied transactions: `objects`, `origins` and `schema` are joins.
// * `origins` says what is applied, by branch name: per origin a prefix, without gaps.
// * An object without a record was never heard of, or its creation is covered by `origins` and it was deleted.
// * Each object is found in `objects` by the terms that its record has under `schema`.
// * While `journal` is set, it holds what is needed to take back everything since `begin()`.
// A value: whoever owns it may read and write it, and a copy stays as it is.

/// The fold of a set of transactions: the executable definition of what a merge means (SPEC.md, section 5).
package struct FoldState: Sendable {
    package internal(set) var objects = RecordTable()
    package internal(set) var origins: [ReplicaID: AppliedOrigin] = [:]
    package internal(set) var schema = SchemaState()
    /// Nil for a state that looks at everything anew each time, as the definition has it.
    package internal(set) var irregular: IrregularObjects?
    var journal: FoldJournal?

    package init() {}

    /// Joins a transaction whose origins are resolved to branch names.
    ///
    /// Each transaction must be given once, those of one origin in order; transactions of different origins in any order.
    package mutating func apply(_ transaction: Transaction) {
        for change in transaction.changes {
            apply(change, stamp: transaction.header.stamp)
        }
        advance(to: transaction.header)
    }

    /// Notes that all changes of a transaction have been applied one by one.
    package mutating func advance(to header: TransactionHeader) {
        let held = origins[header.origin]
        assert(
            held.map { $0.sequence == 0 || $0.sequence + 1 == header.sequence } ?? true,
            "\(header.origin) is applied up to \(held?.sequence ?? 0), so \(header.sequence) is a duplicate or leaves a gap")
        journal?.note(header.origin, held)
        origins[header.origin, default: AppliedOrigin(branch: BranchRoot(origin: header.origin))].advance(to: header)
    }

    /// Says which branch of an origin goes by `name`.
    ///
    /// Needed only for forked origins, before their transactions.
    package mutating func register(_ branch: BranchRoot, as name: ReplicaID) {
        guard origins[name]?.branch != branch else { return }
        journal?.note(name, origins[name])
        origins[name, default: AppliedOrigin(branch: branch)].branch = branch
    }

    /// The applied vector: branch name to last sequence.
    package var vector: [ReplicaID: UInt64] { origins.mapValues(\.sequence).filter { $0.value > 0 } }

    /// Whether the transaction that makes this object has been applied.
    package func covers(_ id: ObjectID) -> Bool { (origins[id.replica]?.sequence ?? 0) >= id.sequence }
}
