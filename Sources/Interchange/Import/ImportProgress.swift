/// How far an import has come.
public struct ImportProgress: Sendable, Hashable {
    /// What is in the store.
    public var summary: ImportSummary
    /// Bytes of the file that these rows took.
    public var bytes: UInt64
    /// Length of the file in bytes; nil where nobody knows, as for a pipe.
    public var totalBytes: UInt64?
}
