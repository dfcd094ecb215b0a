// Invariants
// * The last part given is kept back until the next or `finish`, since only the last may carry the chain.
// * Beyond the staging threshold all parts are in the stage file, in order; in memory is at most the one kept back.

package import Storage

/// Takes in the parts of one transaction in order and makes of them what goes into the log, in bounded memory.
package struct PartCollector {
    private let layout: StoreLayout
    private let environment: Environment
    private let dataset: DatasetID
    private let log: Digest128
    private let sizes: LogSizes
    package let origin: ReplicaID
    package let sequence: UInt64
    package let timestamp: Timestamp
    package let previousChain: Digest128

    private var digests: [Digest128] = []
    private var kept: PartBytes?
    private var inMemory: [PartBytes] = []
    private var size = 0
    private var stage: StageWriter?

    init(
        layout: StoreLayout, environment: Environment, dataset: DatasetID, log: Digest128, sizes: LogSizes, origin: ReplicaID,
        sequence: UInt64,
        timestamp: Timestamp, previousChain: Digest128
    ) {
        self.layout = layout
        self.environment = environment
        self.dataset = dataset
        self.log = log
        self.sizes = sizes
        self.origin = origin
        self.sequence = sequence
        self.timestamp = timestamp
        self.previousChain = previousChain
    }

    /// Whether a part is the next one of this transaction.
    package func expects(_ body: PartBody) -> Bool {
        body.origin == origin && body.sequence == sequence && body.number == UInt64(digests.count)
            && body.previousChain == previousChain
    }

    /// The next part.
    package mutating func add(_ part: PartBytes) throws(LogError) {
        if let kept { try settle(kept) }
        digests.append(part.digest)
        size += part.count
        kept = part
    }

    /// The origin's chain after the transaction, as its parts so far make it.
    package var chain: Digest128 { Chain.step(previousChain, digests: digests) }

    /// Ends the transaction.
    ///
    /// A stage file is durable under its name on return.
    mutating func finish(on root: BranchRoot) throws(LogError) -> [PendingItem] {
        let chain = chain
        let event = LogEvent.extend(
            root, to: BranchPosition(sequence: sequence, chain: chain), timestamp: timestamp, transactions: 1)
        guard let last = kept else {
            throw LogError(.invalidTransaction, "transaction \(sequence) of \(origin) has no parts")
        }
        kept = nil
        if digests.count == 1 {
            let item = PendingItem.transaction(
                root, sequence: sequence, part: last, timestamp: timestamp, previousChain: previousChain, chain: chain)
            return [item]
        }
        let body = body(of: last, number: digests.count - 1, chain: chain)
        if var stage {
            try stage.append(Frame(.part, body: body.encode(), transactions: 1), isLast: true)
            let commit = StageCommit(
                origin: origin, sequence: sequence, previousChain: previousChain, chain: chain, timestamp: timestamp,
                parts: UInt64(digests.count), length: stage.end)
            try stage.finish(as: layout.stage(commit))
            self.stage = nil
            return [.frame(Frame(.stageCommit, body: commit.encode(), transactions: 1), [event])]
        }
        var items: [PendingItem] = inMemory.enumerated().map { number, part in
            .frame(Frame(.part, body: self.body(of: part, number: number, chain: nil).encode()), [])
        }
        items.append(.frame(Frame(.part, body: body.encode(), transactions: 1), [event]))
        return items
    }

    /// Forgets everything, the stage file included.
    package mutating func discard() {
        stage?.discard()
        stage = nil
        inMemory = []
        kept = nil
    }

    private mutating func settle(_ part: PartBytes) throws(LogError) {
        inMemory.append(part)
        // The part that is about to be kept back counts as well, but is not known yet: leave it a frame's room.
        guard stage != nil || size > sizes.stagingThreshold - SegmentFormat.frameLimit else { return }
        var stage = if let stage { stage } else { try beginStage() }
        // Known before anything is written, so that a failure leaves nothing behind.
        self.stage = stage
        let first = digests.count - inMemory.count
        for (offset, part) in inMemory.enumerated() {
            let body = body(of: part, number: first + offset, chain: nil)
            try stage.append(Frame(.part, body: body.encode()), isLast: false)
        }
        inMemory = []
        self.stage = stage
    }

    private func beginStage() throws(LogError) -> StageWriter {
        // Drawn here: most transactions need none, and asking the system for it costs as much as encoding a small one's columns.
        let header = SegmentHeader(kind: .stage, dataset: dataset, log: log, salt: environment.random.next())
        return try StageWriter(header, in: layout, environment)
    }

    private func body(of part: PartBytes, number: Int, chain: Digest128?) -> PartBody {
        PartBody(
            origin: origin, sequence: sequence, number: UInt64(number), isLast: chain != nil, previousChain: previousChain,
            chain: chain ?? .zero, part: part)
    }
}
