/// Transactions of an origin that are here and wait for their time.
public struct HeldOrigin: Sendable, Hashable {
    /// Who wrote them; in a forked origin, the name of the branch.
    public let origin: ReplicaID
    public let sequences: ClosedRange<UInt64>
    /// The timestamp of the first, or one below it: until the clock is within ``HoldRule/boundMilliseconds`` of it they wait.
    public let timestamp: Timestamp

    package init(origin: ReplicaID, sequences: ClosedRange<UInt64>, timestamp: Timestamp) {
        self.origin = origin
        self.sequences = sequences
        self.timestamp = timestamp
    }
}
