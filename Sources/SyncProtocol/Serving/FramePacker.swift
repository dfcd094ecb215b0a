// Invariants
// * `run` are transactions of one origin that follow each other and whose batch is not closed.

import EventLog
import Storage

/// Makes messages of transactions: batches of those that follow each other, as they lie in the log where that is possible.
struct FramePacker {
    private(set) var messages: [Message] = []
    /// Bytes of the messages, about.
    private(set) var size = 0
    private var run: [(transaction: StoredTransaction, part: PartBytes)] = []
    private var runSize = 0

    /// Adds a transaction of one part.
    mutating func add(_ transaction: StoredTransaction, _ part: PartBytes) {
        let goesOn = run.last.map { transaction.follows($0.transaction) } ?? true
        if !goesOn || transaction.frame?.index == 0 || runSize + part.count > ExchangeFormat.preferredBatch { close() }
        run.append((transaction, part))
        runSize += part.count + 8
    }

    /// Adds a part of a transaction of several.
    mutating func add(_ part: PartBytes, number: Int, isLast: Bool, of transaction: StoredTransaction) {
        close()
        let body = PartBody(
            origin: transaction.branch.origin, sequence: transaction.sequence, number: UInt64(number), isLast: isLast,
            previousChain: transaction.previousChain, chain: transaction.chain, part: part)
        append(.part(PackedFrame(Frame(.part, body: body.encode()))))
    }

    /// Bytes, with those of the open batch before they are compressed.
    var total: Int { size + runSize }

    mutating func close() {
        guard let first = run.first?.transaction else { return }
        defer {
            run = []
            runSize = 0
        }
        if let frame = StoredTransaction.wholeFrame(run.map(\.transaction)) { return append(.batch(PackedFrame(frame))) }
        let batch = Batch(
            origin: first.branch.origin, firstSequence: first.sequence, previousChain: first.previousChain,
            transactions: run.map(\.part))
        append(.batch(PackedFrame(Frame(.batch, body: batch.encode(), transactions: run.count))))
    }

    private mutating func append(_ message: Message) {
        messages.append(message)
        if case .batch(let frame) = message { size += frame.stored.count }
        if case .part(let frame) = message { size += frame.stored.count }
    }
}

extension StoredTransaction {
    /// Whether this is the next transaction of the same line.
    fileprivate func follows(_ other: StoredTransaction) -> Bool {
        branch.origin == other.branch.origin && sequence == other.sequence + 1 && previousChain == other.chain
    }
}
