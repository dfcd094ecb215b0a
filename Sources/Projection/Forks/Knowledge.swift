package import EventLog

/// What the writer of a transaction had applied, itself and its own past included, by branch name.
///
/// Copies share what did not change from one transaction of a writer to its next.
package struct Knowledge: Sendable {
    private let others: [ReplicaID: UInt64]
    private let origin: ReplicaID
    private let sequence: UInt64

    package init(_ others: [ReplicaID: UInt64], origin: ReplicaID, sequence: UInt64) {
        self.others = others
        self.origin = origin
        self.sequence = sequence
    }

    /// Whether the transaction `sequence` of the branch `name` is part of it.
    package func has(_ name: ReplicaID, _ sequence: UInt64) -> Bool {
        sequence <= (name == origin ? max(self.sequence, others[name] ?? 0) : others[name] ?? 0)
    }
}
