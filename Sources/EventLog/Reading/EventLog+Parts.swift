import Storage

extension EventLog {
    /// Calls `body` with each part of a transaction in order, holding one in memory at a time when it is staged.
    package func forEachPart(
        of transaction: StoredTransaction, _ body: (PartBytes) throws(LogError) -> Void
    ) throws(LogError) {
        var reader = try PartReader(transaction, in: self)
        while let part = try reader.next() { try body(part) }
    }
}
