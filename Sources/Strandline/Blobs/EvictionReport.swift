public import EventLog

/// What ``Store/evict(_:promisedBy:force:patience:)`` did.
public struct EvictionReport: Sendable, Hashable {
    /// A blob that stays, and why.
    public struct Refusal: Sendable, Hashable {
        public let blob: BlobReference
        public let reason: String
    }

    /// Blobs whose files are gone, and the bytes they took.
    public internal(set) var evicted: [BlobReference] = []
    public internal(set) var bytes: UInt64 = 0
    public internal(set) var refused: [Refusal] = []
    /// Of those that are gone: those that nobody is known to have, removed by force.
    ///
    /// Their content may be lost.
    public internal(set) var lost: [BlobReference] = []
}
