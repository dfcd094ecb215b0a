// Invariants
// * Gives out what was durable when the reader was made, each transaction once, in the order of LSNs.
// * `queue` holds the rest of the frame last read; `nextLSN` is the LSN of its first.

import Storage
import Synchronization

/// Reads the transactions of a log from a place on.
///
/// Never waits for the writer, nor the writer for it.
package struct LogReader {
    let log: EventLog
    package let state: LogState
    private let segments: [SegmentCatalog.Entry]
    private var current: Int
    private var cursor: FrameCursor?
    /// Follows the branches where an origin has forked; otherwise its id says which branch it is.
    private var branches: BranchTable?
    private var events = FrameEvents()
    private var queue: [StoredTransaction] = []
    private var queued = 0
    private var parts: [PartBytes] = []
    private let after: UInt64
    /// What not to give out, and whether to leave out what is held.
    var coverage: Coverage?
    var isAppliedOnly = false

    /// - Parameter lsn: the last transaction not to be read; 0 for all that is kept.
    /// - Throws: `historyExpired` for an LSN below the floor.
    package init(_ log: EventLog, after lsn: UInt64 = 0) throws(LogError) {
        try self.init(log, state: log.durableState, after: lsn)
    }

    /// - Parameter state: a durable state of the log, to end at.
    package init(_ log: EventLog, state: LogState, after lsn: UInt64 = 0) throws(LogError) {
        self.log = log
        self.state = state
        // A hint may come from anywhere, and name what is not there.
        let after = min(lsn, state.position.lastLSN)
        self.after = after
        segments = try log.catalog.segments(through: state.position.ordinal)
        if after > 0, let first = segments.first, after + 1 < first.firstLSN {
            throw log.expired("transaction \(after) of the log")
        }
        current = max(0, (segments.firstIndex { $0.firstLSN > after + 1 } ?? segments.count) - 1)
    }

    /// The last LSN this reader will give.
    package var lastLSN: UInt64 { state.position.lastLSN }

    /// The next transaction, or nil at the end.
    ///
    /// - Throws: `corrupt` where a segment is damaged.
    package mutating func next() throws(LogError) -> StoredTransaction? {
        while true {
            while queued < queue.count {
                let transaction = queue[queued]
                queued += 1
                if transaction.lsn > after, isWanted(transaction) { return transaction }
            }
            guard let (frame, offset) = try nextFrame() else { return nil }
            queue = []
            queued = 0
            // A part that ends no transaction has the LSN of the one it belongs to.
            let last = frame.header.firstLSN + UInt64(max(1, frame.header.transactions)) - 1
            guard last > after, frame.header.firstLSN <= lastLSN else {
                try follow(frame, at: offset)
                continue
            }
            try unpack(frame, at: offset)
            try follow(frame, at: offset)
        }
    }

    private func isWanted(_ transaction: StoredTransaction) -> Bool {
        if isAppliedOnly, !isApplied(transaction) { return false }
        guard let coverage, let number = state.branches.number(of: transaction.branch) else { return true }
        return !coverage.covers(number, transaction.sequence)
    }

    /// Whether a transaction of the log was applied when the reader was made.
    package func isApplied(_ transaction: StoredTransaction) -> Bool {
        guard let number = state.branches.number(of: transaction.branch) else { return true }
        return transaction.sequence <= state.branches.branches[number].applied.sequence
    }

    /// The next frame, of whatever kind.
    mutating func nextFrame() throws(LogError) -> (frame: Frame, offset: UInt64)? {
        while true {
            if var open = cursor {
                let found = try open.next()
                cursor = open
                if let found { return found }
                cursor = nil
                current += 1
            }
            guard current < segments.count else { return nil }
            try openSegment()
        }
    }

    private mutating func openSegment() throws(LogError) {
        let entry = segments[current]
        let segment = try log.catalog.open(entry)
        let isLast = current == segments.count - 1
        let end = isLast ? state.position.offset : try log.catalog.open(segments[current + 1]).header.predecessor.end
        var start = SegmentFormat.framesStart
        if state.branches.hasForks {
            branches = try log.catalog.start(of: entry).branches
        } else {
            let seeks = isLast ? state.seeks : try log.catalog.seeks(of: entry)
            start = seeks.last { $0.lsn <= after + 1 }?.offset ?? start
        }
        cursor = try FrameCursor(segment.file, salt: segment.header.salt, from: start, to: end)
    }

    private mutating func follow(_ frame: Frame, at offset: UInt64) throws(LogError) {
        guard let known = branches, let path = cursor?.path else { return }
        let happened = try LogError.damage(in: path, at: offset) { () throws(StorageError) in
            try events.events(of: frame, in: known, dataset: log.dataset)
        }
        var follower = LogState(dataset: log.dataset, position: state.position, branches: known)
        for event in happened { follower.apply(event) }
        branches = follower.branches
    }

    private mutating func unpack(_ frame: Frame, at offset: UInt64) throws(LogError) {
        guard let path = cursor?.path else { return }
        queue = try LogError.damage(in: path, at: offset) { () throws(StorageError) in
            switch frame.header.kind {
            case .batch: try transactions(of: Batch(try frame.body()), from: frame.header.firstLSN)
            case .part: try transaction(of: PartBody(try frame.body()), lsn: frame.header.firstLSN)
            case .stageCommit: [try transaction(of: StageCommit(try frame.body()), lsn: frame.header.firstLSN)]
            case .control, .index, .baseline, nil: []
            }
        }
        guard frame.header.kind == .batch, Int(frame.header.logicalLength) >= Self.carriedSize else { return }
        for index in queue.indices { queue[index].frame = (frame, index) }
    }

    /// Logical bytes from which a batch is worth passing on as it is; smaller ones are better packed together.
    private static let carriedSize = 256 << 10

    private func root(_ origin: ReplicaID, before sequence: UInt64, _ chain: Digest128) throws(StorageError) -> BranchRoot {
        guard let branches else { return BranchRoot(origin: origin) }
        return try FrameEvents.root(origin, before: sequence, chain, in: branches, dataset: log.dataset)
    }

    /// The branch that a transaction read on `root` is on now, and its name: what was one branch may have split since.
    private func current(_ root: BranchRoot, at sequence: UInt64) -> (root: BranchRoot, name: ReplicaID) {
        guard branches != nil, let number = state.branches.number(of: root) else { return (root, root.origin) }
        let branch = state.branches.branches[state.branches.continuation(of: number, at: sequence)]
        return (branch.root, branch.name)
    }

    private func transactions(of batch: Batch, from lsn: UInt64) throws(StorageError) -> [StoredTransaction] {
        let root = try root(batch.origin, before: batch.firstSequence, batch.previousChain)
        var chain = batch.previousChain
        var result: [StoredTransaction] = []
        result.reserveCapacity(batch.transactions.count)
        for (number, part) in batch.transactions.enumerated() {
            let next = Chain.step(chain, part)
            let place = current(root, at: batch.firstSequence + UInt64(number))
            result.append(
                StoredTransaction(
                    lsn: lsn + UInt64(number), branch: place.root, name: place.name,
                    sequence: batch.firstSequence + UInt64(number),
                    timestamp: try PartPreamble(part).timestamp, previousChain: chain, chain: next, content: .parts([part])))
            chain = next
        }
        guard chain == batch.chain else { throw .malformed("a batch whose chain does not match its transactions") }
        return result
    }

    private mutating func transaction(of body: PartBody, lsn: UInt64) throws(StorageError) -> [StoredTransaction] {
        guard body.number == UInt64(parts.count) else {
            throw .malformed("part \(body.number) of a transaction where part \(parts.count) is due")
        }
        parts.append(body.part)
        guard body.isLast else { return [] }
        defer { parts = [] }
        guard Chain.step(body.previousChain, digests: parts.map(\.digest)) == body.chain else {
            throw .malformed("a transaction whose chain does not match its parts")
        }
        let root = try root(body.origin, before: body.sequence, body.previousChain)
        let place = current(root, at: body.sequence)
        return [
            StoredTransaction(
                lsn: lsn, branch: place.root, name: place.name, sequence: body.sequence,
                timestamp: try PartPreamble(parts[0]).timestamp, previousChain: body.previousChain, chain: body.chain,
                content: .parts(parts))
        ]
    }

    private func transaction(of commit: StageCommit, lsn: UInt64) throws(StorageError) -> StoredTransaction {
        let root = try root(commit.origin, before: commit.sequence, commit.previousChain)
        let place = current(root, at: commit.sequence)
        return StoredTransaction(
            lsn: lsn, branch: place.root, name: place.name, sequence: commit.sequence,
            timestamp: commit.timestamp, previousChain: commit.previousChain, chain: commit.chain, content: .staged(commit))
    }
}
