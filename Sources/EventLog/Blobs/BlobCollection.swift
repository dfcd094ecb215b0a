/// What a search for blobs that nothing names found and did.
public struct BlobCollection: Sendable, Hashable {
    /// Files that are referred to.
    public internal(set) var kept = 0
    /// Unreferenced files that are too young to tell whether their transaction is still on its way.
    public internal(set) var young = 0
    /// Unreferenced files removed, or that would be in a dry run, and their bytes.
    public internal(set) var removed = 0
    public internal(set) var removedBytes: UInt64 = 0

    /// Unfinished files removed that a process left when it was killed, or that would be in a dry run, and their bytes.
    public internal(set) var abandoned = 0
    public internal(set) var abandonedBytes: UInt64 = 0

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
