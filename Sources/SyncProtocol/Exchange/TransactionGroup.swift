import EventLog
import Storage

/// Some megabytes of transactions on their way from one log to another.
struct TransactionGroup {
    private static let limit = 4 << 20

    private(set) var transactions: [StoredTransaction] = []
    private var size = 0

    /// Whether it should be sent before more is added.
    var isFull: Bool { size >= Self.limit }

    mutating func add(_ transaction: StoredTransaction) {
        transactions.append(transaction)
        switch transaction.content {
        case .parts(let parts): size += parts.reduce(64) { $0 + $1.count }
        // Not in memory, but long enough to be worth a turn of its own.
        case .staged: size += Self.limit
        }
    }

    func forEachPart(in log: EventLog, _ body: (PartBytes, StoredTransaction) throws -> Void) throws {
        for transaction in transactions {
            try log.forEachPart(of: transaction) { part, _ in try body(part, transaction) }
        }
    }

    /// Hands them over, as batches of those that follow each other.
    func send(from log: EventLog, to receiver: inout TransactionReceiver) throws {
        var run = BatchRun()
        func settle() throws(LogError) {
            guard let batch = run.batch else { return }
            let frame = run.frame
            run = BatchRun()
            try receiver.take(batch, as: frame)
        }
        for transaction in transactions {
            guard case .parts(let parts) = transaction.content, parts.count == 1 else {
                try settle()
                try send(large: transaction, from: log, to: &receiver)
                continue
            }
            if !run.takes(transaction, parts[0]) { try settle() }
            run.add(transaction, parts[0])
        }
        try settle()
    }

    private func send(large transaction: StoredTransaction, from log: EventLog, to receiver: inout TransactionReceiver) throws {
        var number: UInt64 = 0
        try log.forEachPart(of: transaction) { part, isLast in
            let body = PartBody(
                origin: transaction.branch.origin, sequence: transaction.sequence, number: number, isLast: isLast,
                previousChain: transaction.previousChain, chain: transaction.chain, part: part)
            try receiver.take(body, storedAs: part.count)
            number += 1
        }
    }
}
