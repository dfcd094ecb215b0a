/// What work on many objects came to, so far or in all; see ``Store/insert(_:batch:author:progress:_:)``.
public struct BatchSummary: Hashable, Sendable {
    /// Objects that were made.
    public internal(set) var inserted = 0
    /// Objects of which something was changed.
    public internal(set) var updated = 0
    /// Objects that had all the values already: nothing was recorded of them.
    public internal(set) var unchanged = 0
    /// Objects that were selected and deleted, without what went with them.
    public internal(set) var deleted = 0
    /// Transactions that were recorded, each durable.
    public internal(set) var transactions = 0

    init() {}

    /// Objects that were worked on.
    public var objects: Int { inserted + updated + unchanged + deleted }

    mutating func add(_ other: BatchSummary) {
        inserted += other.inserted
        updated += other.updated
        unchanged += other.unchanged
        deleted += other.deleted
        transactions += other.transactions
    }
}
