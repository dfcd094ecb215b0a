/// What ``BlobStore/collect(keeping:olderThan:dryRun:)`` found and did.
package struct BlobCollection: Sendable, Equatable {
    /// Files that are referred to.
    package var kept = 0
    /// Unreferenced files that are too young to tell whether their transaction is still on its way.
    package var young = 0
    /// Unreferenced files removed, or that would be in a dry run, and their bytes.
    package var removed = 0
    package var removedBytes: UInt64 = 0

    /// Unfinished files removed that a process left when it was killed, or that would be in a dry run, and their bytes.
    package var abandoned = 0
    package var abandonedBytes: UInt64 = 0

    package init(
        kept: Int = 0, young: Int = 0, removed: Int = 0, removedBytes: UInt64 = 0, abandoned: Int = 0,
        abandonedBytes: UInt64 = 0
    ) {
        self.kept = kept
        self.young = young
        self.removed = removed
        self.removedBytes = removedBytes
        self.abandoned = abandoned
        self.abandonedBytes = abandonedBytes
    }
}
