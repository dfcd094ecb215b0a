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
    private let salt: UInt64
    private let start: BranchPosition
    private var end: BranchPosition
    private var offset = ExchangeFormat.framesStart
    private var link: UInt64 = 0
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
        salt = environment.random.next()
        fileSystem = environment.fileSystem
        (path, file) = try environment.createDraft(in: directory)
    }

    /// Bytes of the file, about.
    var size: UInt64 { offset + UInt64(pendingSize) }

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
        try write(Frame(.part, body: body.encode(), transactions: isLast ? 1 : 0))
        if isLast { advance(to: chain) }
    }

    /// Writes what is pending as a batch.
    mutating func settle() throws(StorageError) {
        guard !pending.isEmpty else { return }
        let first = end.sequence + 1 - UInt64(pending.count)
        if let frame = StoredTransaction.wholeFrame(pending.map(\.transaction)) {
            try write(frame)
        } else {
            let batch = Batch(
                origin: origin, firstSequence: first, previousChain: settled, transactions: pending.map(\.part))
            try write(Frame(.batch, body: batch.encode(), transactions: pending.count))
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
        let header = ExchangeHeader(dataset: dataset, stretch: stretch, isLacking: isLacking, salt: salt, length: offset)
        try file.write(header.encode().span, at: 0)
        try file.sync()
        file.close()
        try fileSystem.rename(path, to: Path.join(directory, ExchangeFormat.name(stretch, isLacking: isLacking)))
        try fileSystem.syncDirectory(directory)
        return offset
    }

    private mutating func advance(to chain: Digest128) {
        end = BranchPosition(sequence: end.sequence + 1, chain: chain)
        if pending.isEmpty { settled = chain }
        transactions += 1
    }

    /// Writes a frame behind those before; its place in a log means nothing here.
    private mutating func write(_ frame: Frame) throws(StorageError) {
        var header = frame.header
        (header.flags, header.firstLSN, header.group, header.durableLSN) = ([], 0, 0, 0)
        header.link = link
        let bytes = frame.encoded(as: &header, salt: salt)
        let place = SegmentFormat.align(offset, to: SegmentFormat.frameAlignment)
        try file.write(bytes.span, at: place)
        link = header.checksum
        offset = place + UInt64(bytes.count)
    }

    /// Removes the file.
    ///
    /// Best effort: what is left is removed by a later publication.
    func discard() {
        file.close()
        try? fileSystem.remove(path)
    }
}
