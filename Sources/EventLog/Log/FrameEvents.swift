import Storage

/// Reads what frames mean for the state of the log.
///
/// Parts of one transaction are followed across the frames of their group.
struct FrameEvents {
    /// The transaction whose parts are being read, and the number of the part that is due.
    private var open: (origin: ReplicaID, sequence: UInt64, timestamp: Timestamp, next: UInt64)?

    /// The events of one frame, in order.
    ///
    /// `branches` is the state before it.
    mutating func events(of frame: Frame, in branches: BranchTable, dataset: DatasetID) throws(StorageError) -> [LogEvent] {
        guard let kind = frame.header.kind else {
            if frame.header.isSkippable { return [] }
            throw StorageError(
                .unsupported, "read", detail: "a frame of the unknown type \(frame.header.type)")
        }
        switch kind {
        case .batch:
            let batch = try Batch(try frame.body())
            guard let last = batch.transactions.last else { return [] }
            let root = try Self.root(
                batch.origin, before: batch.firstSequence, batch.previousChain, in: branches, dataset: dataset)
            return [
                .extend(
                    root, to: BranchPosition(sequence: batch.lastSequence, chain: batch.chain),
                    timestamp: try PartPreamble(last).timestamp, transactions: UInt32(batch.transactions.count))
            ]
        case .part:
            return try part(PartBody(try frame.body()), in: branches, dataset: dataset)
        case .stageCommit:
            let commit = try StageCommit(try frame.body())
            let root = try Self.root(
                commit.origin, before: commit.sequence, commit.previousChain, in: branches, dataset: dataset)
            let position = BranchPosition(sequence: commit.sequence, chain: commit.chain)
            return [.extend(root, to: position, timestamp: commit.timestamp, transactions: 1)]
        case .control:
            return try ControlRecord.decode(try frame.body()).map { .control($0) }
        case .index, .baseline:
            return []
        }
    }

    private mutating func part(_ body: PartBody, in branches: BranchTable, dataset: DatasetID) throws(StorageError)
        -> [LogEvent]
    {
        if body.number == 0, open == nil {
            open = (body.origin, body.sequence, try PartPreamble(body.part).timestamp, 0)
        }
        guard let open, open.origin == body.origin, open.sequence == body.sequence, open.next == body.number else {
            throw .malformed("part \(body.number) of a transaction without the parts before it")
        }
        self.open = body.isLast ? nil : (open.origin, open.sequence, open.timestamp, open.next + 1)
        guard body.isLast else { return [] }
        let root = try Self.root(body.origin, before: body.sequence, body.previousChain, in: branches, dataset: dataset)
        let position = BranchPosition(sequence: body.sequence, chain: body.chain)
        return [.extend(root, to: position, timestamp: open.timestamp, transactions: 1)]
    }

    /// The branch that transactions of `origin` from `sequence` on extend.
    static func root(
        _ origin: ReplicaID, before sequence: UInt64, _ chain: Digest128, in branches: BranchTable, dataset: DatasetID
    ) throws(StorageError) -> BranchRoot {
        let position = BranchPosition(sequence: sequence - 1, chain: chain)
        if let number = branches.tip(of: origin, at: position) { return branches.branches[number].root }
        guard branches.branches(of: origin).isEmpty, sequence == 1, chain == Chain.start(dataset: dataset, origin: origin)
        else {
            throw .malformed("transactions of \(origin) from \(sequence) on that follow nothing in the log")
        }
        return BranchRoot(origin: origin)
    }
}
