/// What a store has done since it was opened, and how it lies on disk and in memory.
///
/// ```swift
/// let statistics = try store.statistics()
/// for (operation, figures) in statistics.operations { print(operation, figures.count, figures.quantile(0.99)) }
/// ```
public struct StoreStatistics: Sendable {
    /// A run of the projection.
    public struct RunFigures: Sendable, Hashable {
        public let rows: Int
        /// Rows that newer runs supersede.
        public let superseded: Int
        public let bytes: UInt64
    }

    /// What was done through this store, by kind, with times.
    public let operations: [(operation: Operation, figures: OperationFigures)]
    /// The oldest first.
    public let runs: [RunFigures]
    /// Bytes of records that are in no run yet.
    public let memoryBytes: Int
    /// The cache of decoded blocks: how often it had what was asked for, and what it holds.
    public let cacheHits: UInt64, cacheMisses: UInt64
    public let cacheBytes: Int, cacheBudget: Int
    /// The most memory that the process has had resident, mapped files included, in bytes; nil where the system does not tell.
    public let peakResidentBytes: UInt64?

    /// The share of rows in runs that are superseded: what `compact` would remove.
    public var garbage: Double {
        let rows = runs.reduce(0) { $0 + $1.rows }
        return rows == 0 ? 0 : Double(runs.reduce(0) { $0 + $1.superseded }) / Double(rows)
    }
}
