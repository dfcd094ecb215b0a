package import EventLog
package import Storage

/// Transactions of one origin in a row, with the chains that say on which branch they are.
package struct Stretch: Hashable, Sendable {
    package var origin: ReplicaID
    package var first: UInt64, last: UInt64
    /// The origin's chain before the first and after the last.
    package var before: Digest128, after: Digest128

    package init(origin: ReplicaID, first: UInt64, last: UInt64, before: Digest128, after: Digest128) {
        self.origin = origin
        self.first = first
        self.last = last
        self.before = before
        self.after = after
    }

    package var start: BranchPosition { BranchPosition(sequence: first - 1, chain: before) }
    package var end: BranchPosition { BranchPosition(sequence: last, chain: after) }

    /// Whether the sequences are possible ones.
    var isPlausible: Bool { first > 0 && first <= last && last < TransactionFormat.numberLimit }
}
