package import EventLog
package import Storage

/// How far the transactions of one origin, by its branch's name, have been applied.
package struct AppliedOrigin: Hashable, Sendable {
    package var branch: BranchRoot
    package var sequence: UInt64
    package var chain: Digest128
    package var timestamp: Timestamp
    /// What the origin itself had applied of others when it wrote the last transaction, by branch name.
    package var context: [ReplicaID: ContextEntry]

    package init(
        branch: BranchRoot, sequence: UInt64 = 0, chain: Digest128 = .zero, timestamp: Timestamp = .zero,
        context: [ReplicaID: ContextEntry] = [:]
    ) {
        self.branch = branch
        self.sequence = sequence
        self.chain = chain
        self.timestamp = timestamp
        self.context = context
    }

    mutating func advance(to header: TransactionHeader) {
        sequence = header.sequence
        chain = header.chain
        timestamp = header.timestamp
        for entry in header.context where entry.sequence >= (context[entry.origin]?.sequence ?? 0) {
            context[entry.origin] = entry
        }
    }
}
