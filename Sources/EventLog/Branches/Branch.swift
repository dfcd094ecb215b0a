package import Storage

/// What identifies a line of transactions for good: the origin whose id its bytes carry, and the chain at its first sequence.
///
/// An origin that never forked is one branch from the start, written as (origin, 1, zero).
package struct BranchRoot: Hashable, Sendable, Comparable {
    package let origin: ReplicaID
    package let firstSequence: UInt64
    package let chain: Digest128

    package init(origin: ReplicaID, firstSequence: UInt64 = 1, chain: Digest128 = .zero) {
        self.origin = origin
        self.firstSequence = firstSequence
        self.chain = chain
    }

    package static func < (a: BranchRoot, b: BranchRoot) -> Bool {
        (a.origin, a.firstSequence, a.chain) < (b.origin, b.firstSequence, b.chain)
    }

    package func append(to writer: inout ByteWriter) {
        writer.digest(origin.bits)
        writer.varint(firstSequence)
        writer.digest(chain)
    }

    package init(from reader: inout ByteReader) throws(StorageError) {
        let origin = ReplicaID(try reader.digest())
        let first = try reader.varint()
        guard first > 0, first < TransactionFormat.numberLimit else {
            throw reader.failure("a branch that begins at sequence \(first)")
        }
        self.init(origin: origin, firstSequence: first, chain: try reader.digest())
    }
}

/// A place in an origin, proved by its chain.
package struct BranchPosition: Hashable, Sendable {
    package var sequence: UInt64
    package var chain: Digest128

    package init(sequence: UInt64, chain: Digest128) {
        self.sequence = sequence
        self.chain = chain
    }
}

/// One line of transactions without a fork in it, and how far this store has come in it.
package struct Branch: Sendable, Equatable {
    package let root: BranchRoot
    /// The branch it left, by its number in the table.
    package let parent: Int?
    /// What its transactions' origin is called; see "Forks" in SPEC.md.
    package var name: ReplicaID
    /// The last transaction received.
    package var last: BranchPosition
    package var lastTimestamp: Timestamp
    /// The last transaction applied; behind `last` while transactions are held.
    package var applied: BranchPosition
    package var appliedTimestamp: Timestamp
    /// The timestamp of the first transaction that waits, or one below it; zero when none does.
    package var heldTimestamp: Timestamp = .zero
    /// The LSN after which `applied` last moved or `name` changed: what a writer's context is computed from.
    package var changedLSN: UInt64
    /// Others begin where it ends, so it takes no more transactions.
    package var isForked = false

    package init(root: BranchRoot, parent: Int?, name: ReplicaID, last: BranchPosition, lastTimestamp: Timestamp) {
        self.root = root
        self.parent = parent
        self.name = name
        self.last = last
        self.lastTimestamp = lastTimestamp
        applied = last
        appliedTimestamp = lastTimestamp
        changedLSN = 0
    }

    package var isHeld: Bool { applied.sequence < last.sequence }

    /// The hold that is left when everything received is released.
    package var whole: Hold { Hold(after: last, timestamp: lastTimestamp, first: .zero) }
}
