import EventLog
import Storage

/// Transactions of one part that follow each other in an origin, on their way into one batch.
struct BatchRun {
    private var items: [(transaction: StoredTransaction, part: PartBytes)] = []
    /// Bytes of the batch, about.
    private(set) var size = 0

    /// Whether a transaction belongs into the same batch.
    ///
    /// A frame that can be passed on as it is begins one of its own.
    func takes(_ transaction: StoredTransaction, _ part: PartBytes) -> Bool {
        guard let last = items.last?.transaction else { return true }
        let isNext =
            transaction.branch.origin == last.branch.origin && transaction.sequence == last.sequence + 1
            && transaction.previousChain == last.chain
        return isNext && transaction.frame?.index != 0 && size + part.count <= ExchangeFormat.preferredBatch
    }

    mutating func add(_ transaction: StoredTransaction, _ part: PartBytes) {
        items.append((transaction, part))
        size += part.count + 8
    }

    /// The frame in which just these transactions lie, if there is one.
    var frame: Frame? { StoredTransaction.wholeFrame(items.map(\.transaction)) }

    /// The batch; nil without transactions.
    var batch: Batch? {
        guard let first = items.first?.transaction else { return nil }
        return Batch(
            origin: first.branch.origin, firstSequence: first.sequence, previousChain: first.previousChain,
            transactions: items.map(\.part))
    }
}
