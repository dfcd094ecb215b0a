/// What a new or changed object means for the log, before old values and stamps are looked up.
package struct ObjectChanges: Hashable, Sendable {
    /// Registers to set: all of a new object's, or those that differ.
    ///
    /// In the order of the schema.
    package var values: [PropertyValue] = []
    /// Counters of an existing object that differ, with the difference modulo 2^64.
    package var increments: [Increment] = []
    /// Relationships that are kept in edges or at the other end.
    package var links: [LinkEdit] = []

    package init() {}

    package var isEmpty: Bool { values.isEmpty && increments.isEmpty && links.isEmpty }

    package struct Increment: Hashable, Sendable {
        package let property: Property
        package let by: Int64
    }
}

/// A change of a relationship, said of the object that keeps it.
package enum LinkEdit: Hashable, Sendable {
    /// An edge is to be there, or not.
    case edge(owner: ObjectID, entity: String, property: Property, target: ObjectID, isPresent: Bool)
    /// `holder`'s reference is to be `target`.
    case link(holder: ObjectID, entity: String, property: Property, target: ObjectID)
    /// `holder`'s reference is to be nil, if it still is `target`.
    case unlink(holder: ObjectID, entity: String, property: Property, target: ObjectID)
}
