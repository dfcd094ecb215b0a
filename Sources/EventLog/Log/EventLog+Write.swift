import Storage
import Synchronization

extension EventLog {
    /// Begins the next transaction of this store.
    ///
    /// Ends with ``finish(_:)``, ``withdraw(_:)`` or ``abandon(_:)``; until then no other begins.
    ///
    /// Waits for the writers' lock of the store, then catches up with what other processes wrote. The sequence is spent from here on, whatever
    /// becomes of the transaction; unless it is withdrawn, for then no id of it was given out.
    package func begin(author: String = "") throws(LogError) -> OpenTransaction {
        try entered { () throws(LogError) in
            try markUnclean()
            try fillSpentSequences()
            return try openNext(author: author, isVoid: false)
        }
    }

    /// Ends a transaction; it waits to be written by ``flush(keepingLock:written:)``.
    ///
    /// One that cannot be ended is given up: when its parts cannot be stored, or when a commit failed since it began, so that what
    /// it was to follow is gone.
    @discardableResult
    package func finish(_ transaction: OpenTransaction) throws(LogError) -> CommitTicket {
        do throws(LogError) {
            let items = try transaction.close()
            return try locked(front) { (front) throws(LogError) in
                guard front.identity.replica == transaction.origin, front.ownPosition == transaction.predecessor else {
                    removeStages(of: items)
                    throw front.lastFailure
                        ?? LogError(
                            .outcomeUnknown, "a commit before this transaction failed; write it again", path: layout.root)
                }
                front.isOpen = false
                for item in items { front.add(item) }
                if transaction.former != nil { front.hasNamedFormer = true }
                return CommitTicket(epoch: front.epoch, lsn: front.state.position.lastLSN)
            }
        } catch {
            transaction.discard()
            front.withLock { $0.isOpen = false }
            try? leaveIfIdle()
            throw error
        }
    }

    /// Gives up a transaction that made nothing: no id of its sequence was given out, so nothing needs to be recorded.
    package func withdraw(_ transaction: OpenTransaction) throws(LogError) {
        transaction.discard()
        let (origin, last) = front.withLock { front in
            front.isOpen = false
            return (front.identity.replica, front.ownPosition.sequence)
        }
        if let shared, origin == transaction.origin, last < transaction.header.sequence { shared.spend(last) }
        try leaveIfIdle()
    }

    /// Gives a transaction up.
    ///
    /// Its sequence is recorded as void, so that its ids are never given out again.
    package func abandon(_ transaction: OpenTransaction) throws(LogError) {
        transaction.discard()
        front.withLock { front in
            front.isOpen = false
            // No other thread gives the lock back before the void is pending.
            front.isEntered = true
        }
        try entered { () throws(LogError) in try fillSpentSequences() }
    }

    /// After a clean close: makes durable that sequences are taken again, before the first one is.
    private func markUnclean() throws(LogError) {
        guard let shared, shared.isClean else { return }
        try mark(isClean: false)
        shared.setClean(false)
    }

    /// How many sequences are recorded as void before a new replica id is cheaper.
    private static let mostSpent: UInt64 = 1024

    /// Records as void the sequences that were taken and never came to anything.
    private func fillSpentSequences() throws(LogError) {
        while true {
            let (replica, last) = front.withLock { ($0.identity.replica, $0.ownPosition.sequence) }
            guard let shared, shared.spent(by: replica) > last else { return }
            // A writer takes no more than what it has pending; a longer way means that the page is damaged.
            guard shared.spent(by: replica) - last <= Self.mostSpent else { return try renewReplica() }
            try finish(try openNext(author: "", isVoid: true))
        }
    }

    /// Whether a transaction of the present id says under which id this store wrote before: the first that is not void does.
    private func hasNamedFormer() throws(LogError) -> Bool {
        let (identity, known) = front.withLock { ($0.identity, $0.hasNamedFormer) }
        if let known { return known }
        var isNamed = identity.former == nil
        if !isNamed, let floor = try floor(at: durableState) {
            isNamed = floor.positions.contains { $0.root.origin == identity.replica }
        }
        // Nothing of it is pending: what this process wrote it knows.
        if !isNamed, !durableState.branches.branches(of: identity.replica).isEmpty {
            var reader = try LogReader(self, after: try lsn(before: 1, of: identity.replica))
            while !isNamed, let transaction = try reader.next() {
                guard transaction.branch.origin == identity.replica else { continue }
                guard case .parts(let parts) = transaction.content else {
                    // A staged one has changes.
                    isNamed = true
                    break
                }
                isNamed = try LogError.damage(in: layout.log) { () throws(StorageError) in try !PartPreamble(parts[0]).isVoid }
            }
        }
        let answer = isNamed
        front.withLock { $0.hasNamedFormer = answer }
        return answer
    }

    private func openNext(author: String, isVoid: Bool) throws(LogError) -> OpenTransaction {
        let now = environment.clock.now()
        let owesFormer = isVoid ? false : try !hasNamedFormer()
        let (header, previous, former) = front.withLock { front in
            let position = front.ownPosition
            let replica = front.identity.replica
            let changed =
                front.state.branches.branches(of: replica).map { front.state.branches.branches[$0].changedLSN }.max() ?? 0
            front.isOpen = true
            let header = TransactionHeader(
                origin: replica, sequence: position.sequence + 1, timestamp: front.clock.tick(now: now), author: author,
                isVoid: isVoid,
                context: front.state.branches.context(of: replica, since: changed))
            return (header, position.chain, owesFormer ? front.identity.former : nil)
        }
        if let shared, header.sequence > shared.spent(by: header.origin) { shared.spend(header.sequence) }
        let collector = PartCollector(
            layout: layout, environment: environment, dataset: dataset, log: logID, sizes: sizes, origin: header.origin,
            sequence: header.sequence,
            timestamp: header.timestamp, previousChain: previous)
        return try OpenTransaction(header, collector: collector, former: former)
    }
}

extension EventLog.Front {
    /// Where this store's own origin stands, with what is pending.
    var ownPosition: BranchPosition {
        let number = state.branches.branches(of: identity.replica).last { !state.branches.branches[$0].isForked }
        guard let number else {
            return BranchPosition(sequence: 0, chain: Chain.start(dataset: state.dataset, origin: identity.replica))
        }
        return state.branches.branches[number].last
    }

    /// Queues an item and counts it in.
    mutating func add(_ item: PendingItem) {
        for event in item.events { state.apply(event) }
        pending.append(item)
        pendingSize += item.size
    }
}
