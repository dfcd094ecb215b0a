import Storage
import Synchronization

extension EventLog {
    /// What is here and waits because its clock was ahead, ascending by origin.
    package var heldOrigins: [HeldOrigin] { durableState.branches.heldOrigins }

    /// Applies what was held and whose time has come; durable on return.
    ///
    /// Every writer does this when it takes the writers' lock; call it from time to time while nobody writes. Does nothing while a
    /// transaction is open.
    ///
    /// - Returns: whether something is applied now that was not.
    @discardableResult
    package func liftHolds() throws(LogError) -> Bool {
        guard mode == .readWrite, !front.withLock({ $0.isOpen }) else { return false }
        let state = durableState
        guard state.branches.hasDueHold(now: max(environment.clock.now(), state.clock)) else { return false }
        // Timestamps of what is pending are not in a file yet.
        try flush()
        try entered { () throws(LogError) in try liftDueHolds() }
        let isLifted = hasPending
        try flush()
        return isLifted
    }

    /// Applies everything that was received of an origin, whatever its clock said; durable on return.
    ///
    /// The clock of this store then is as far ahead.
    ///
    /// - Parameter origin: as ``heldOrigins`` names it.
    /// - Returns: whether something of it was held.
    @discardableResult
    package func release(origin: ReplicaID) throws(LogError) -> Bool {
        let isReleased = try entered { () throws(LogError) in
            front.withLock { front in
                let records = front.state.branches.releases(of: origin)
                guard !records.isEmpty else { return false }
                front.add(control: records)
                front.observeApplied()
                return true
            }
        }
        try flush()
        return isReleased
    }

    /// Notes the time, and the releases that follow from it.
    ///
    /// The caller holds the writers' lock; nothing is pending and no transaction is open, so that the next one's context tells of it.
    func liftDueHolds() throws(LogError) {
        let now = environment.clock.now()
        let state = front.withLock { $0.state }
        let time = max(now, state.clock)
        guard state.branches.hasDueHold(now: time) else { return }
        var table = state.branches
        var records: [ControlRecord] = []
        for number in table.heldFromTrunks {
            if let parent = table.branches[number].parent, table.isHeld(parent) { continue }
            guard let hold = try due(number, in: table, now: time) else { continue }
            records.append(.release(table.branches[number].root, hold))
            table.release(number, through: hold, lsn: 0)
        }
        guard !records.isEmpty else { return }
        front.withLock { front in
            front.add(control: [.clock(now)] + records)
            front.observeApplied()
        }
    }

    /// How far a held branch may go on at this time; nil for not at all.
    private func due(_ number: Int, in table: BranchTable, now: UInt64) throws(LogError) -> Hold? {
        let branch = table.branches[number]
        // Timestamps ascend in a branch.
        if !HoldRule.holds(branch.lastTimestamp, now: now) { return branch.whole }
        guard !HoldRule.holds(branch.heldTimestamp, now: now) else { return nil }
        var hold = Hold(after: branch.applied, timestamp: branch.appliedTimestamp, first: branch.heldTimestamp)
        var reader = try LogReader(self, after: try lsn(before: branch.applied.sequence + 1, of: branch.root.origin))
        while let transaction = try reader.next() {
            guard transaction.branch == branch.root, transaction.sequence > branch.applied.sequence else { continue }
            if HoldRule.holds(transaction.timestamp, now: now) {
                hold.first = transaction.timestamp
                break
            }
            hold.after = BranchPosition(sequence: transaction.sequence, chain: transaction.chain)
            hold.timestamp = transaction.timestamp
        }
        return hold.after.sequence > branch.applied.sequence ? hold : nil
    }
}
