public import EventLog

/// What ``Store/trim(before:force:)`` did.
public struct TrimReport: Sendable, Hashable {
    /// Somebody who has not acknowledged all that was to be trimmed.
    public struct Blocker: Sendable, Hashable {
        public let record: PeerRecord
        /// How many of the transactions that were to go it has not acknowledged.
        public let lag: UInt64
    }

    /// Below what the history is gone now: just this token, and any that covers more, can be gone on from.
    ///
    /// Nil when all is kept.
    public let floor: HistoryToken?
    /// How many transactions went.
    public let transactions: UInt64
    /// Bytes of files that are free now, the baseline taken off; less than zero when that takes more than what it stands for did.
    public let bytesFreed: Int64
    /// Who kept the floor from going as far as was asked for; empty when it was forced.
    public let blockers: [Blocker]
    /// Blobs that nothing names any more, and that went too.
    public internal(set) var blobs = BlobCollection()
}
