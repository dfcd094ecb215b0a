/// Transactions of an origin that are here and wait for their time.
package struct HeldOrigin: Sendable, Hashable {
    /// Who wrote them; in a forked origin, the name of the branch.
    package let origin: ReplicaID
    package let sequences: ClosedRange<UInt64>
    /// The timestamp of the first, or one below it: until the clock is within ``HoldRule/boundMilliseconds`` of it they wait.
    package let timestamp: Timestamp

    package init(origin: ReplicaID, sequences: ClosedRange<UInt64>, timestamp: Timestamp) {
        self.origin = origin
        self.sequences = sequences
        self.timestamp = timestamp
    }
}
