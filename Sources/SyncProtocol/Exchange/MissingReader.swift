import EventLog

/// Reads from a log the transactions of some ranges, in the order of the log.
struct MissingReader {
    private var reader: LogReader
    private let wanted: TransactionRanges

    /// - Parameter lsn: one before which none of them lies, if the caller knows any.
    init(_ log: EventLog, _ wanted: TransactionRanges, after lsn: UInt64? = nil) throws(LogError) {
        self.wanted = wanted
        let firsts = wanted.firsts.map { (origin: $0.branch.origin, sequence: $0.sequence) }
        let start: UInt64 = if let lsn { lsn } else { try log.lsn(beforeAll: firsts) }
        reader = try LogReader(log, after: start)
    }

    mutating func next() throws(LogError) -> StoredTransaction? {
        while let transaction = try reader.next() {
            if wanted.contains(transaction.sequence, of: transaction.branch) { return transaction }
        }
        return nil
    }
}

extension EventLog {
    /// Calls `body` with each part of a transaction and whether it is the last, holding one in memory at a time when it is staged.
    func forEachPart(of transaction: StoredTransaction, _ body: (_ part: PartBytes, _ isLast: Bool) throws -> Void) throws {
        var reader = try PartReader(transaction, in: self)
        while let part = try reader.next() { try body(part, reader.isAtEnd) }
    }
}
