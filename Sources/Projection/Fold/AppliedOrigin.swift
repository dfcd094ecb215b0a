package import EventLog
package import Storage

/// A line of transactions of one origin that share their past: where it began to differ from the others of the origin.
package struct Branch: Hashable, Sendable {
    /// The origin id that is written in the transactions.
    package var origin: ReplicaID
    /// The first sequence that is this branch's own; 1 with a zero chain for the branch from the start.
    package var firstSequence: UInt64
    package var firstChain: Digest128

    package init(origin: ReplicaID, firstSequence: UInt64 = 1, firstChain: Digest128 = .zero) {
        self.origin = origin
        self.firstSequence = firstSequence
        self.firstChain = firstChain
    }
}

/// How far the transactions of one origin, by its branch's name, have been applied.
package struct AppliedOrigin: Hashable, Sendable {
    package var branch: Branch
    package var sequence: UInt64
    package var chain: Digest128
    package var timestamp: Timestamp
    /// What the origin itself had applied of others when it wrote the last transaction, by branch name.
    package var context: [ReplicaID: ContextEntry]

    package init(
        branch: Branch, sequence: UInt64 = 0, chain: Digest128 = .zero, timestamp: Timestamp = .zero,
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
