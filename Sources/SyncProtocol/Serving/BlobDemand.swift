package import EventLog

/// Somebody who waits for a blob.
package struct BlobDemand: Sendable {
    package let reference: BlobReference
    /// The higher, the sooner.
    package let priority: Int
    /// Hears how many bytes of it are here.
    package let onProgress: @Sendable (UInt64) -> Void
    /// Hears once: nil when it is here.
    package let onEnd: @Sendable (BlobShortage?) -> Void

    package init(
        _ reference: BlobReference, priority: Int = 0, onProgress: @escaping @Sendable (UInt64) -> Void = { _ in },
        onEnd: @escaping @Sendable (BlobShortage?) -> Void
    ) {
        self.reference = reference
        self.priority = priority
        self.onProgress = onProgress
        self.onEnd = onEnd
    }
}

/// Why a blob did not come.
package enum BlobShortage: Hashable, Sendable {
    /// No peer is connected from which blobs are taken.
    case nobodyThere
    /// Those that are connected do not have it, or only damaged.
    case nobodyHasIt(peers: Int)
    /// Some have not said that they do not have it, and did not bring all of it in time.
    case tooSlow
    /// It is not asked for any more.
    case cancelled
    /// No blob can be as long as it is said to be.
    case tooLong
}
