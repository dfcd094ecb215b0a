// Invariants
// * `box.state` is the fold of what the log has applied, with what this process has pending, while `epoch` is the log's: a failed
//   commit takes away what was pending.
// * Everything but `withLock` is used inside `withLock` only. A writer is inside from before its closure until its transaction is
//   with the log, a reader for as long as it reads. The log's own locks come after this one.

import EventLog
import Projection
import Synchronization

/// The state of an open store, kept up with its log.
///
/// `@unchecked Sendable`: everything in it is guarded by `lock`.
final class LiveState: @unchecked Sendable {
    let box: StateBox
    private let lock = Mutex(())
    private let log: EventLog
    private var epoch: UInt64
    /// Up to where the log was read.
    private var followed: HistoryToken?
    /// Origins that wrote what this version cannot read: nothing of them is applied from there on.
    private var stopped: Set<ReplicaID> = []

    init(_ log: EventLog, blobs: any BlobSource) {
        self.log = log
        epoch = log.epoch
        box = StateBox(FoldState(), blobs: blobs)
    }

    func withLock<Result>(_ body: (LiveState) throws -> Result) rethrows -> Result {
        try lock.withLock { _ in try body(self) }
    }

    /// Joins what the durable log has beyond the state.
    func follow() throws(LogError) {
        if epoch != log.epoch { return try reset() }
        let durable = log.durableState
        if isBehind(durable.branches) { try read(durable) }
    }

    /// Makes the state that which the next transaction follows, the log's own pending ones included.
    func followWriter() throws(LogError) {
        if epoch != log.epoch { try reset() }
        guard isBehind(log.writerState.branches) else { return }
        // What is pending can be read once it is in the log.
        try log.flush()
        try follow()
    }

    /// Begins anew from the log.
    func reset() throws(LogError) {
        let current = log.epoch
        clear()
        try read(log.durableState)
        epoch = current
    }

    private func clear() {
        box.state = FoldState()
        stopped = []
        followed = nil
    }

    private func read(_ durable: LogState) throws(LogError) {
        if durable.branches.hasForks {
            try rebuild(durable)
        } else {
            try advance()
        }
    }

    /// Whether something is applied in the log that is not in the state, or is there by another name.
    ///
    /// What the state has beyond is pending.
    private func isBehind(_ branches: BranchTable) -> Bool {
        branches.branches.contains { branch in
            let applied = branch.applied
            guard applied.sequence > 0, applied.sequence >= branch.root.firstSequence, !stopped.contains(branch.name) else {
                return false
            }
            guard let known = box.state.origins[branch.name], known.sequence >= applied.sequence else { return true }
            return known.sequence == applied.sequence && known.chain != applied.chain
        }
    }

    /// Reads on, where every origin is one branch.
    private func advance() throws(LogError) {
        var history = try StoredHistory(log, after: followed)
        while let stored = try history.next() {
            guard !stopped.contains(stored.name), stored.sequence > box.state.origins[stored.name]?.sequence ?? 0 else {
                continue
            }
            let transaction = try history.decode(stored)
            if transaction.isUnreadable {
                stopped.insert(stored.name)
            } else {
                box.state.apply(transaction)
            }
        }
        followed = history.token
    }

    /// Resolves and folds everything, where an origin has forked: what comes may rename what is there.
    private func rebuild(_ durable: LogState) throws(LogError) {
        var history = try StoredHistory(log, after: nil)
        let resolved = try history.resolved()
        var vector: [ReplicaID: UInt64] = [:]
        for (name, position) in durable.branches.positions(applied: true) { vector[name] = position.sequence }
        box.state = ReferenceFold.fold(resolved, upTo: vector)
        followed = history.token
    }
}
