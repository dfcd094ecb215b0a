/// What an import came to.
public struct ImportSummary: Sendable, Hashable {
    /// Rows that became new objects.
    public var inserted = 0
    /// Rows that changed an object.
    public var updated = 0
    /// Rows whose values were all there already.
    public var unchanged = 0
    /// Transactions that were recorded; a batch that changes nothing records none.
    public var transactions = 0

    public init() {}

    /// Rows that are in the store.
    public var rows: Int { inserted + updated + unchanged }

    mutating func add(_ other: ImportSummary) {
        inserted += other.inserted
        updated += other.updated
        unchanged += other.unchanged
        transactions += other.transactions
    }
}
