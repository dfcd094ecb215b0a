// Invariants
// * The file has an unfinished name until `finish`, which writes the header last, syncs, renames and syncs the directory: whoever
//   sees the final name sees the whole file.
// * `end` is the position of the last transaction added; `pending` are the latest of them, which are in no frame yet.

import EventLog
import Storage

/// An exchange file on its way.
struct ExchangeDraft {
    let origin: ReplicaID
    let isLacking: Bool
    private let directory: String
    private let path: String
    private let fileSystem: any FileSystem
    private let file: any File
    private let dataset: DatasetID
    private let start: BranchPosition
    private var end: BranchPosition
    private var frames: FrameTrail
    private var pending: [(transaction: StoredTransaction, part: PartBytes)] = []
    /// The chain before the first of them.
    private var settled: Digest128
    /// Logical bytes in `pending`.
    private(set) var pendingSize = 0
    private(set) var transactions = 0

    /// - Parameter start: the position before the first transaction.
    init(
        of origin: ReplicaID, from start: BranchPosition, isLacking: Bool, dataset: DatasetID, in directory: String,
        _ environment: Environment
    ) throws(StorageError) {
        self.origin = origin
        self.isLacking = isLacking
        self.directory = directory
        self.dataset = dataset
        self.start = start
        end = start
        settled = start.chain
        fileSystem = environment.fileSystem
        let salt = environment.random.next()
        (path, file) = try environment.createDraft(in: directory)
        frames = FrameTrail(file, salt: salt)
    }

    /// Bytes of the file, about.
    var size: UInt64 { frames.offset + UInt64(pendingSize) }

    /// Whether a transaction goes on where this file ends.
    func isFollowed(by transaction: StoredTransaction) -> Bool {
        transaction.sequence == end.sequence + 1 && transaction.previousChain == end.chain
    }

    /// Adds a transaction of one part.
    mutating func add(_ transaction: StoredTransaction, _ part: PartBytes) throws(StorageError) {
        let cost = part.count + 8
        // A frame that is passed on as it came begins a batch, and ends it.
        if pendingSize + cost > ExchangeFormat.preferredBatch || transaction.frame?.index == 0 { try settle() }
        pending.append((transaction, part))
        pendingSize += cost
        advance(to: transaction.chain)
        if let carried = transaction.frame, carried.index == Int(carried.frame.header.transactions) - 1 { try settle() }
    }

    /// Adds a part of a transaction of several.
    ///
    /// `chain` is that after the transaction.
    mutating func add(_ part: PartBytes, number: Int, isLast: Bool, chain: Digest128) throws(StorageError) {
        try settle()
        let body = PartBody(
            origin: origin, sequence: end.sequence + 1, number: UInt64(number), isLast: isLast, previousChain: end.chain,
            chain: chain, part: part)
        try frames.append(Frame(.part, body: body.encode(), transactions: isLast ? 1 : 0))
        if isLast { advance(to: chain) }
    }

    /// Writes what is pending as a batch.
    mutating func settle() throws(StorageError) {
        guard !pending.isEmpty else { return }
        let first = end.sequence + 1 - UInt64(pending.count)
        if let frame = StoredTransaction.wholeFrame(pending.map(\.transaction)) {
            try frames.append(frame)
        } else {
            let batch = Batch(
                origin: origin, firstSequence: first, previousChain: settled, transactions: pending.map(\.part))
            try frames.append(Frame(.batch, body: batch.encode(), transactions: pending.count))
        }
        pending = []
        pendingSize = 0
        settled = end.chain
    }

    /// Makes the file durable under its name.
    ///
    /// Returns its length.
    mutating func finish() throws(StorageError) -> UInt64 {
        try settle()
        let stretch = Stretch(
            origin: origin, first: start.sequence + 1, last: end.sequence, before: start.chain, after: end.chain)
        let header = ExchangeHeader(
            dataset: dataset, stretch: stretch, isLacking: isLacking, salt: frames.salt, length: frames.offset)
        let name = ExchangeFormat.name(stretch, isLacking: isLacking)
        try file.finish(path, header.encode(), as: name, in: directory, fileSystem)
        return header.length
    }

    private mutating func advance(to chain: Digest128) {
        end = BranchPosition(sequence: end.sequence + 1, chain: chain)
        if pending.isEmpty { settled = chain }
        transactions += 1
    }

    /// Removes the file.
    ///
    /// Best effort: what is left is removed by a later publication.
    func discard() {
        file.close()
        try? fileSystem.remove(path)
    }
}
