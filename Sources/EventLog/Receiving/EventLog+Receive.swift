package import Storage
import Synchronization

extension EventLog {
    /// Takes in a batch from elsewhere; it waits to be written by ``flush(keepingLock:written:)``.
    ///
    /// What is known already is left out.
    ///
    /// - Parameter frame: the batch as it came, to be stored without compressing it again.
    /// - Throws: `gap` when earlier transactions of its origin are missing here, `invalidTransaction` when it breaks a rule. Nothing of it is
    /// taken then.
    package func receive(_ batch: Batch, as frame: Frame? = nil) throws(LogError) -> ReceivedTransactions {
        guard batch.isSound else {
            throw LogError(.invalidTransaction, "a batch of \(batch.origin) does not have the chain it claims")
        }
        return try entered { () throws(LogError) in try take(batch, as: frame) }
    }

    private func take(_ batch: Batch, as frame: Frame?) throws(LogError) -> ReceivedTransactions {
        let place = try locate(batch)
        var result = ReceivedTransactions()
        result.known = place.known
        result.isFork = place.fork != nil
        guard place.known < batch.transactions.count else { return result }
        let rest = place.known == 0 ? batch : batch.suffix(from: place.known, previousChain: place.position.chain)
        let timestamps = try checkTimestamps(rest, after: place.timestamp)
        result.new = rest.transactions.count
        front.withLock { front in
            if let fork = place.fork { front.add(control: [fork]) }
            result.held = front.hold(rest, at: place, timestamps: timestamps, now: environment.clock.now())
            let position = BranchPosition(sequence: rest.lastSequence, chain: rest.chain)
            let event = LogEvent.extend(
                place.root, to: position, timestamp: timestamps[timestamps.count - 1],
                transactions: UInt32(rest.transactions.count))
            // The LSNs follow from what the frame's header says, so it must say what is there.
            let whole = place.known == 0 ? frame.flatMap { $0.holds(batch) ? $0 : nil } : nil
            front.add(.frame(whole ?? Frame(.batch, body: rest.encode(), transactions: rest.transactions.count), [event]))
            front.observeApplied(place.root)
        }
        try keepApart(from: place)
        return result
    }

    /// Somebody else writes under this store's id, so it takes another: a machine was set back, or a copy was not noticed.
    private func keepApart(from place: Place) throws(LogError) {
        guard place.root.origin == replica else { return }
        front.withLock { if $0.isOwn(place) { $0.returning = place.root } }
        try renewReplica()
    }

    /// Begins to take in a transaction of several parts; end it with ``finishReceiving(_:)``.
    ///
    /// Whether it is here already shows at the end. What is pending is made durable first: a transaction may take long to arrive, and the
    /// writers' lock is not kept for it.
    package func beginReceiving(_ first: PartBody) throws(LogError) -> PartCollector {
        guard first.number == 0 else {
            throw LogError(.invalidTransaction, "part \(first.number) of a transaction of \(first.origin) came first")
        }
        // What cannot be written need not be sent.
        try entered {}
        try flush()
        let preamble = try LogError.damage(in: "a received transaction") { () throws(StorageError) in
            try PartPreamble(first.part)
        }
        var collector = PartCollector(
            layout: layout, environment: environment, dataset: dataset, log: logID, sizes: sizes, origin: first.origin,
            sequence: first.sequence,
            timestamp: preamble.timestamp, previousChain: first.previousChain)
        try collector.add(first.part)
        return collector
    }

    /// Ends what ``beginReceiving(_:)`` began; the transaction waits to be written.
    ///
    /// - Parameter chain: the chain its last part gave.
    package func finishReceiving(_ collector: PartCollector, chain: Digest128) throws(LogError) -> ReceivedTransactions {
        var collector = collector
        do throws(LogError) {
            return try entered { () throws(LogError) in try take(&collector, chain: chain) }
        } catch {
            collector.discard()
            throw error
        }
    }

    private func take(_ collector: inout PartCollector, chain: Digest128) throws(LogError) -> ReceivedTransactions {
        var result = ReceivedTransactions()
        let place = try locate(
            collector.origin, first: collector.sequence, previousChain: collector.previousChain, chains: [collector.chain])
        guard collector.chain == chain else {
            throw LogError(.invalidTransaction, "a transaction of \(collector.origin) does not have the chain it claims")
        }
        guard place.known == 0 else {
            collector.discard()
            result.known = 1
            return result
        }
        guard collector.timestamp > place.timestamp else {
            throw Self.clockRunsBack(collector.origin, collector.sequence)
        }
        let items = try collector.finish(on: place.root)
        result.new = 1
        result.isFork = place.fork != nil
        let now = environment.clock.now()
        let (timestamp, before) = (
            collector.timestamp, BranchPosition(sequence: collector.sequence - 1, chain: collector.previousChain)
        )
        front.withLock { front in
            if let fork = place.fork { front.add(control: [fork]) }
            let isTooEarly = front.isTooEarly(timestamp, now: now) && !front.isOwn(place)
            if isTooEarly || front.isHeld(place.root) {
                result.held = 1
                if !front.isHeld(place.root) {
                    let hold = Hold(after: before, timestamp: place.timestamp, first: timestamp)
                    front.add(control: [.hold(place.root, hold)])
                }
            }
            for item in items { front.add(item) }
            front.observeApplied(place.root)
        }
        try keepApart(from: place)
        return result
    }

    private func checkTimestamps(_ batch: Batch, after last: Timestamp) throws(LogError) -> [Timestamp] {
        var last = last
        var timestamps: [Timestamp] = []
        for (number, part) in batch.transactions.enumerated() {
            let preamble = try LogError.damage(in: "a received batch") { () throws(StorageError) in try PartPreamble(part) }
            guard preamble.timestamp > last else {
                throw Self.clockRunsBack(batch.origin, batch.firstSequence + UInt64(number))
            }
            last = preamble.timestamp
            timestamps.append(last)
        }
        return timestamps
    }

    private static func clockRunsBack(_ origin: ReplicaID, _ sequence: UInt64) -> LogError {
        LogError(
            .invalidTransaction, "the timestamp of transaction \(sequence) of \(origin) is not above that of the one before")
    }
}

extension EventLog.Front {
    mutating func add(control records: [ControlRecord]) {
        add(.frame(Frame(.control, body: ControlRecord.encode(records)), records.map { .control($0) }))
    }

    /// Whether transactions of a branch are being held.
    func isHeld(_ root: BranchRoot) -> Bool {
        state.branches.number(of: root).map { state.branches.isHeld($0) } ?? false
    }

    /// Whether a timestamp is too far ahead.
    ///
    /// What the log noted of the time counts, so that a clock set back takes nothing away.
    func isTooEarly(_ timestamp: Timestamp, now: UInt64) -> Bool {
        HoldRule.holds(timestamp, now: max(now, state.clock))
    }

    /// Whether transactions continue what this store wrote, so that it wrote them too; a fork of that is somebody else's.
    fileprivate func isOwn(_ place: EventLog.Place) -> Bool {
        place.fork == nil && (place.root.origin == identity.replica || place.root == returning)
    }

    /// Notes a hold before a batch of which some is too early; returns how many transactions are held.
    fileprivate mutating func hold(_ batch: Batch, at place: EventLog.Place, timestamps: [Timestamp], now: UInt64) -> Int {
        if isHeld(place.root) { return batch.transactions.count }
        guard !isOwn(place), let first = timestamps.firstIndex(where: { isTooEarly($0, now: now) }) else { return 0 }
        let chain = batch.transactions.prefix(first).reduce(batch.previousChain) { Chain.step($0, $1) }
        let before = BranchPosition(sequence: batch.firstSequence + UInt64(first) - 1, chain: chain)
        let hold = Hold(
            after: before, timestamp: first == 0 ? place.timestamp : timestamps[first - 1], first: timestamps[first])
        add(control: [.hold(place.root, hold)])
        return batch.transactions.count - first
    }

    /// Moves the clock past what is applied.
    mutating func observeApplied() {
        for branch in state.branches.branches { clock.observe(branch.appliedTimestamp) }
    }

    /// Moves the clock past what is applied of one branch.
    fileprivate mutating func observeApplied(_ root: BranchRoot) {
        guard let number = state.branches.number(of: root) else { return }
        clock.observe(state.branches.branches[number].appliedTimestamp)
    }
}

extension Frame {
    /// Whether its header says what the batch is.
    fileprivate func holds(_ batch: Batch) -> Bool {
        header.kind == .batch && Int(header.transactions) == batch.transactions.count
    }
}

extension Batch {
    /// The batch without its first `count` transactions.
    fileprivate func suffix(from count: Int, previousChain: Digest128) -> Batch {
        Batch(
            origin: origin, firstSequence: firstSequence + UInt64(count), previousChain: previousChain,
            transactions: Array(transactions.dropFirst(count)))
    }
}
