/// A ``Field`` without its entity's type.
struct FieldDescription: Sendable {
    /// The wire name.
    let name: String
    let keyPath: any AnyKeyPath & Sendable
    let isIndexed: Bool
    /// Whether the field alone is the unique key.
    let isUnique: Bool
    /// Nil when the property is not a stored one, which ``Schema/problems()`` reports.
    let access: FieldAccess?
    /// Where the property lies in the struct; nil when it is not a stored one.
    let offset: Int?
    let relation: RelationDescription?
}

/// The other end of a relationship, as declared at one end.
struct RelationDescription: Sendable {
    /// The target's type.
    let target: ObjectIdentifier
    /// The target's schema, asked for late: two entities that refer to each other cannot initialise each other's schema.
    let targetSchema: @Sendable () -> EntityDescription
    let inverse: (any AnyKeyPath & Sendable)?
    let isToMany: Bool
    let deleteRule: Relationship.DeleteRule
}
