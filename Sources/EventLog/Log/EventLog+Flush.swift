import Storage
import Synchronization

extension EventLog {
    /// Whether something waits to be written.
    package var hasPending: Bool { front.withLock { !$0.pending.isEmpty } }

    /// Writes what is pending and makes it durable; gives the writers' lock back when nothing is left.
    ///
    /// May run while another thread has a transaction open. Groups are written one after the other, each durable before the next.
    ///
    /// - Parameters:
    ///   - keepingLock: keep the writers' lock for what is to be written next; see ``yieldIfContended(keepingLock:)``.
    ///   - written: as for ``flushGroup(written:)``.
    /// - Returns: the last durable transaction.
    /// - Throws: as ``flushGroup(written:)``.
    @discardableResult
    package func flush(
        keepingLock: Bool = false, written: (CommitTicket) -> Void = { _ in }
    ) throws(LogError) -> CommitTicket {
        var group: FlushedGroup
        // Asked inside: what another thread took out of the queue is durable only when that thread has ended.
        repeat { group = try flushGroup(written: written) } while !group.isEmpty
        yieldIfContended(keepingLock: keepingLock)
        return group.reached
    }

    /// What a flush of one group came to.
    package struct FlushedGroup: Sendable {
        /// The last durable transaction.
        package let reached: CommitTicket
        /// Nothing was pending.
        package let isEmpty: Bool
    }

    /// Writes what is pending as one group, up to a group's size, and makes it durable.
    ///
    /// The writers' lock is kept: who is done with it calls ``yieldIfContended(keepingLock:)``.
    ///
    /// - Parameter written: called with the last transaction of the group when it is in the log and not yet durable.
    /// - Throws: `storage` when what was pending is not in the log, `outcomeUnknown` when that cannot be said. Either way nothing is
    ///   pending any more, and the caller's next transaction may be tried.
    @discardableResult
    package func flushGroup(written: (CommitTicket) -> Void = { _ in }) throws(LogError) -> FlushedGroup {
        do throws(LogError) {
            return try locked(tail) { (tail) throws(LogError) -> FlushedGroup in
                let items = front.withLock { $0.takeGroup() }
                if !items.isEmpty {
                    defer { front.withLock { $0.isWriting = false } }
                    try commit(items, to: &tail, written: written)
                }
                return FlushedGroup(reached: CommitTicket(epoch: epoch, lsn: tail.position.lastLSN), isEmpty: items.isEmpty)
            }
        } catch {
            try? leaveIfIdle()
            throw error
        }
    }

    /// Gives the writers' lock back, if nothing is being written and it is not to be kept.
    ///
    /// What was committed is durable, whatever becomes of the lock: whoever writes next meets its error.
    ///
    /// - Parameter keepingLock: keep it for what is to be written next, unless another process waits for it. The caller then gives it
    ///   back by ``rest()`` within some milliseconds: nobody else can write until then.
    package func yieldIfContended(keepingLock: Bool) {
        if let lock, front.withLock({ $0.isLocked && !$0.mustYield }) {
            // The writing thread may have given it back meanwhile.
            if (try? lock.isContended()) ?? true { front.withLock { $0.mustYield = $0.isLocked } }
        }
        if !keepingLock || front.withLock({ $0.mustYield }) { try? leaveIfIdle() }
    }

    /// Gives the writers' lock back if nothing is being written.
    package func rest() throws(LogError) { try leaveIfIdle() }

    private func commit(_ items: [PendingItem], to tail: inout LogTail, written: (CommitTicket) -> Void) throws(LogError) {
        let last = CommitTicket(
            epoch: epoch, lsn: tail.position.lastLSN + items.reduce(0) { $0 + $1.transactions })
        do throws(LogError) {
            // What is received, held or released is a write as well, and the first after a clean close.
            if let shared, shared.isClean {
                try mark(isClean: false, &tail)
                shared.setClean(false)
            }
            try tail.commit(items, written: { written(last) })
        } catch {
            try handle(error, losing: items, tail: &tail)
            throw error
        }
        publish(tail.state)
    }

    /// Shows others what is durable now.
    func publish(_ state: LogState) {
        durable.withLock { $0 = state }
        shared?.publish(state.position)
    }

    /// Brings the log back to a known state after a commit of `items` failed.
    func handle(_ error: LogError, losing items: [PendingItem] = [], tail: inout LogTail) throws(LogError) {
        let next = tail.position.nextLSN
        var isKnown = true
        if error.code == .outcomeUnknown {
            shared?.abandon(tail.position.ordinal)
            do throws(LogError) {
                try tail.salvage()
                publish(tail.state)
            } catch let second {
                isKnown = false
                let failure = LogError(
                    .readOnly,
                    "the log takes no more writes after a failure of the disk (\(error.message); then \(second.message)); reopen the store",
                    path: layout.root, underlying: second.underlying)
                front.withLock { $0.failure = failure }
            }
        }
        let state = tail.state
        let unwritten = front.withLock { front in
            defer { front.pending = [] }
            front.state = state
            front.pendingSize = 0
            front.epoch += 1
            front.lastFailure = error
            front.hasNamedFormer = nil
            return front.pending
        }
        removeStages(of: unwritten)
        // A group is in the log whole or not at all.
        if isKnown, state.position.nextLSN == next { removeStages(of: items) }
        if error.code == .outcomeUnknown, failure == nil {
            do throws(LogError) { try renewReplica() } catch { front.withLock { $0.failure = error } }
        }
    }
}

extension EventLog {
    /// Removes the files of transactions that did not come into the log.
    ///
    /// The caller holds the writers' lock, so that nobody else has put them there.
    func removeStages(of items: [PendingItem]) {
        for case .frame(let frame, _) in items where frame.header.kind == .stageCommit {
            // Best effort: what stays is not looked at, and named when the store is verified.
            guard let body = try? frame.body(), let commit = try? StageCommit(body) else { continue }
            try? environment.fileSystem.remove(layout.stage(commit))
        }
    }
}

extension EventLog.Front {
    /// Takes what goes into the next group: whole, up to the limit.
    fileprivate mutating func takeGroup() -> [PendingItem] {
        var size = 0
        var count = 0
        while count < pending.count {
            // The frames of one transaction stay together: parts of it have no events until the last.
            var next = count
            var unit = 0
            repeat {
                unit += pending[next].size
                next += 1
            } while next < pending.count && pending[next - 1].isContinued
            if count > 0, size + unit > SegmentFormat.groupLimit { break }
            size += unit
            count = next
        }
        let group = Array(pending.prefix(count))
        pending.removeFirst(count)
        pendingSize -= size
        isWriting = !group.isEmpty
        return group
    }
}

extension PendingItem {
    /// Transactions that end in it.
    fileprivate var transactions: UInt64 {
        switch self {
        case .transaction: 1
        case .frame(let frame, _): UInt64(frame.header.transactions)
        }
    }

    /// What follows it in the queue belongs to the same transaction, or must be in the same group.
    fileprivate var isContinued: Bool {
        guard case .frame(let frame, _) = self else { return false }
        return (frame.header.kind == .part && frame.header.transactions == 0) || frame.header.kind == .control
    }
}
