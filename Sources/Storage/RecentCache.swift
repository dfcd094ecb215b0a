// Invariants
// * At most twice `limit` entries are kept, and the last `limit` keys that were put in or found are among them.
// * What is in `young` holds; `old` is what `young` was before it was full.

/// A dictionary that forgets what was not used for long.
package struct RecentCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let limit: Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]

    /// - Parameter limit: how many entries are surely kept, at least 1.
    package init(limit: Int) {
        precondition(limit > 0, "a cache keeps something")
        self.limit = limit
    }

    /// How many entries are kept now.
    package var count: Int { young.count + old.keys.count { young[$0] == nil } }

    /// The value of a key, nil when there is none or it was forgotten.
    package mutating func find(_ key: Key) -> Value? {
        if let found = young[key] { return found }
        guard let found = old[key] else { return nil }
        insert(found, for: key)
        return found
    }

    package mutating func insert(_ value: Value, for key: Key) {
        if young.count >= limit, young[key] == nil {
            old = young
            young = [:]
        }
        young[key] = value
    }
}
