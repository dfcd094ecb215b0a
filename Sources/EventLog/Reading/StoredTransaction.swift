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
}
