package import Storage

/// What a trim let go.
package struct TrimResult: Sendable, Equatable {
    /// The baseline that the log begins with.
    package var baseline: Digest128
    /// How many transactions are no longer in the log, and bytes that are free now, the baseline's own taken off.
    package var transactions: UInt64
    package var bytesFreed: Int64
}
