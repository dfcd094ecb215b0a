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

extension LinkEdit {
    /// The same edit with another object in the place of `old`.
    func naming(_ new: ObjectID, insteadOf old: ObjectID) -> LinkEdit {
        func named(_ id: ObjectID) -> ObjectID { id == old ? new : id }
        return switch self {
        case .edge(let owner, let entity, let property, let target, let isPresent):
            .edge(owner: named(owner), entity: entity, property: property, target: named(target), isPresent: isPresent)
        case .link(let holder, let entity, let property, let target):
            .link(holder: named(holder), entity: entity, property: property, target: named(target))
        case .unlink(let holder, let entity, let property, let target):
            .unlink(holder: named(holder), entity: entity, property: property, target: named(target))
        }
    }
}
