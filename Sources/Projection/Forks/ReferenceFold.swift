package import EventLog

/// The fold as the pure function of a set of transactions that SPEC.md, section 5, defines.
///
/// The oracle for every faster one.
package enum ReferenceFold {
    /// Folds a set of transactions as they were written.
    ///
    /// `transactions`: in any order, with duplicates or without. What does not hang together with the start of its origin
    ///     or with the baseline's floor is left out.
    /// `baseline`: stands for everything at or below its floor.
    /// `vector`: branch name to the last sequence to apply; without it, everything.
    package static func fold(
        _ transactions: some Sequence<Transaction>, baseline: Baseline? = nil, upTo vector: [ReplicaID: UInt64]? = nil
    ) -> FoldState {
        fold(ResolvedHistory(transactions, baseline: baseline), baseline: baseline, upTo: vector)
    }

    /// Folds a set whose forks are resolved.
    package static func fold(
        _ history: ResolvedHistory, baseline: Baseline? = nil, upTo vector: [ReplicaID: UInt64]? = nil,
        into start: FoldState = FoldState()
    ) -> FoldState {
        var state = start
        if let baseline { state.apply(baseline: baseline) }
        for branch in history.names.branches where branch.parent != nil {
            state.register(branch.branch, as: branch.name)
        }
        var stopped: Set<ReplicaID> = []
        for transaction in history.transactions {
            let header = transaction.header
            if let vector, header.sequence > vector[header.origin] ?? 0 { continue }
            if transaction.isUnreadable { stopped.insert(header.origin) }
            if stopped.contains(header.origin) { continue }
            state.apply(transaction)
        }
        return state
    }
}

extension Transaction {
    /// Whether it holds a kind of change that this version neither knows nor may skip: its origin is not applied from there on.
    package var isUnreadable: Bool {
        changes.contains { change in
            if case .unknown(let kind) = change { kind & 0x80 == 0 } else { false }
        }
    }
}

extension GroupedTransaction {
    /// See ``Transaction/isUnreadable``.
    package var isUnreadable: Bool {
        groups.contains { group in
            if case .unknown(let kind) = group { kind & 0x80 == 0 } else { false }
        }
    }
}
