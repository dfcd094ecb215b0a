public import EventLog

/// Writes made without knowledge of each other, of which only one could hold.
public struct Conflict: Hashable, Sendable {
    /// One of the writes.
    public struct Contender: Hashable, Sendable {
        /// The transaction's origin and timestamp.
        public let stamp: Stamp
        /// The transaction's sequence.
        public let sequence: UInt64
        public let author: String
        /// What was written; null for a delete.
        ///
        /// For an increment, what was added.
        public let value: Value

        package init(stamp: Stamp, sequence: UInt64, author: String, value: Value) {
            self.stamp = stamp
            self.sequence = sequence
            self.author = author
            self.value = value
        }
    }

    public enum Kind: Int, Hashable, Sendable {
        /// Different values for one property.
        case values
        /// A property was written, or a counter added to, while the object was deleted elsewhere.
        case writeAgainstDelete
        /// Different values for one property of objects that became one by their unique key.
        case uniqueKey
    }

    /// The object; of several that are one by their unique key, the one that stands for them.
    public let object: ObjectID
    /// The entity's wire name.
    public let entity: String
    public let property: Property
    /// The causal length that the losing writes were made under.
    public let length: UInt32
    public let kind: Kind
    /// The write or the delete that holds.
    public let winner: Contender
    /// Ascending by stamp.
    ///
    /// Writes that another one overwrote knowingly are not among them.
    public let losers: [Contender]

    package init(
        object: ObjectID, entity: String, property: Property, length: UInt32, kind: Kind, winner: Contender,
        losers: [Contender]
    ) {
        self.object = object
        self.entity = entity
        self.property = property
        self.length = length
        self.kind = kind
        self.winner = winner
        self.losers = losers
    }
}
