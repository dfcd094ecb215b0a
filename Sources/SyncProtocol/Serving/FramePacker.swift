// Invariants
// * `run` is the batch that is not closed; its transactions are in no message yet.

import EventLog
import Storage

/// Makes messages of transactions: batches of those that follow each other, as they lie in the log where that is possible.
struct FramePacker {
    private(set) var messages: [Message] = []
    /// Bytes of the messages, about.
    private(set) var size = 0
    private var run = BatchRun()

    /// Adds a transaction of one part.
    mutating func add(_ transaction: StoredTransaction, _ part: PartBytes) {
        if !run.takes(transaction, part) { close() }
        run.add(transaction, part)
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
    var total: Int { size + run.size }

    mutating func close() {
        defer { run = BatchRun() }
        if let frame = run.frame { return append(.batch(PackedFrame(frame))) }
        guard let batch = run.batch else { return }
        append(.batch(PackedFrame(Frame(.batch, body: batch.encode(), transactions: batch.transactions.count))))
    }

    private mutating func append(_ message: Message) {
        messages.append(message)
        if case .batch(let frame) = message { size += frame.stored.count }
        if case .part(let frame) = message { size += frame.stored.count }
    }
}
