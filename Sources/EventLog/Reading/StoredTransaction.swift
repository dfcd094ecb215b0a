package import Storage

/// A transaction as it lies in the log, not yet decoded.
package struct StoredTransaction: Sendable {
    /// Its bytes, or where they are.
    package enum Content: Sendable {
        case parts([PartBytes])
        case staged(StageCommit)
    }

    /// Its place in this log.
    package let lsn: UInt64
    package let branch: BranchRoot
    /// What its origin is called now: in a forked origin, the name of the branch.
    package let name: ReplicaID
    package let sequence: UInt64
    package let timestamp: Timestamp
    package let previousChain: Digest128, chain: Digest128
    package let content: Content
    /// The frame it lies in as the `index`-th of a large batch, to be passed on as it is when the whole batch is.
    package internal(set) var frame: (frame: Frame, index: Int)?
}

extension StoredTransaction {
    /// Whether it lies in a file of its own, for it was too large to be kept in memory.
    package var isStaged: Bool { if case .staged = content { true } else { false } }

    /// Whether these are all transactions of one frame, which can go on without being packed again.
    package static func wholeFrame(_ transactions: some Collection<StoredTransaction>) -> Frame? {
        guard let frame = transactions.first?.frame?.frame, Int(frame.header.transactions) == transactions.count else {
            return nil
        }
        for (index, transaction) in transactions.enumerated() {
            guard let own = transaction.frame, own.index == index, own.frame.header.checksum == frame.header.checksum else {
                return nil
            }
        }
        return frame
    }
}
