package import Storage

/// What an origin's store knew of other origins when it wrote: a position in an origin, proved by the chain there.
public struct ContextEntry: Hashable, Sendable {
    public let origin: ReplicaID
    public let sequence: UInt64
    package let chain: Digest128

    package init(origin: ReplicaID, sequence: UInt64, chain: Digest128) {
        self.origin = origin
        self.sequence = sequence
        self.chain = chain
    }
}

/// The facts of a transaction that do not grow with its changes.
public struct TransactionHeader: Hashable, Sendable {
    /// Who wrote it.
    ///
    /// In a forked origin, the name of the branch; see "Forks" in SPEC.md.
    public let origin: ReplicaID
    /// Dense per origin, from 1.
    public let sequence: UInt64
    /// Higher than that of any transaction the writer had applied.
    public let timestamp: Timestamp
    /// What the application said of itself; may be empty.
    public let author: String
    /// A sequence that was spent without effect: the write threw, or its process died.
    public let isVoid: Bool
    /// What the writer had applied of others, as far as that changed since its previous transaction.
    ///
    /// In a store that knows of a fork, history gives all that the writer had applied, by the names of the branches.
    public let context: [ContextEntry]
    /// The origin's chain before and after this transaction.
    package let previousChain: Digest128, chain: Digest128

    package init(
        origin: ReplicaID, sequence: UInt64, timestamp: Timestamp, author: String = "", isVoid: Bool = false,
        context: [ContextEntry] = [], previousChain: Digest128 = .zero, chain: Digest128 = .zero
    ) {
        self.origin = origin
        self.sequence = sequence
        self.timestamp = timestamp
        self.author = author
        self.isVoid = isVoid
        self.context = context
        self.previousChain = previousChain
        self.chain = chain
    }

    /// What its writes are ordered by.
    public var stamp: Stamp { Stamp(timestamp: timestamp, replica: origin) }
}

/// The atomic unit of commit, history and sync, with all its changes in memory.
public struct Transaction: Hashable, Sendable {
    public let header: TransactionHeader
    public let changes: [Change]

    package init(header: TransactionHeader, changes: [Change]) {
        self.header = header
        self.changes = changes
    }
}

extension Transaction: CustomStringConvertible {
    /// Who wrote it and how much, without the changes.
    public var description: String {
        let author = header.author.isEmpty ? "" : " by \(header.author)"
        let count = header.isVoid ? "void" : changes.count == 1 ? "1 change" : "\(changes.count) changes"
        return "transaction \(header.sequence) of \(header.origin)\(author): \(count)"
    }
}
