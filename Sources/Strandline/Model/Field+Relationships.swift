extension Field {
    /// A reference to at most one object, known at this end only.
    public init<Target: Entity>(
        _ name: String, _ keyPath: any WritableKeyPath<Root, One<Target>> & Sendable,
        onDelete deleteRule: Relationship.DeleteRule = .nullify
    ) {
        self.init(toOne: name, keyPath, inverse: nil, deleteRule)
    }

    /// A one-to-one relationship.
    ///
    /// A write that gives an object another partner parts both from those that they had. Where concurrent writes gave two objects
    /// one partner, the later one has it, and the other reads nil.
    ///
    /// It is kept at the end that is *not* declared with `onDelete: .cascade`; declaring the inverse at both ends is allowed,
    /// not needed.
    public init<Target: Entity>(
        _ name: String, _ keyPath: any WritableKeyPath<Root, One<Target>> & Sendable,
        inverse: any WritableKeyPath<Target, One<Root>> & Sendable, onDelete deleteRule: Relationship.DeleteRule = .nullify
    ) {
        self.init(toOne: name, keyPath, inverse: inverse, deleteRule)
    }

    /// The to-one end of a one-to-many relationship, where it is kept.
    public init<Target: Entity>(
        _ name: String, _ keyPath: any WritableKeyPath<Root, One<Target>> & Sendable,
        inverse: any WritableKeyPath<Target, Many<Root>> & Sendable, onDelete deleteRule: Relationship.DeleteRule = .nullify
    ) {
        self.init(toOne: name, keyPath, inverse: inverse, deleteRule)
    }

    /// References to any number of objects, known at this end only.
    public init<Target: Entity>(
        _ name: String, _ keyPath: any WritableKeyPath<Root, Many<Target>> & Sendable,
        onDelete deleteRule: Relationship.DeleteRule = .nullify
    ) {
        self.init(toMany: name, keyPath, inverse: nil, deleteRule)
    }

    /// The to-many end of a one-to-many relationship: derived from the references at the other end.
    ///
    /// `onDelete` says what becomes of the referring objects when this one is deleted.
    public init<Target: Entity>(
        _ name: String, _ keyPath: any WritableKeyPath<Root, Many<Target>> & Sendable,
        inverse: any WritableKeyPath<Target, One<Root>> & Sendable, onDelete deleteRule: Relationship.DeleteRule = .nullify
    ) {
        self.init(toMany: name, keyPath, inverse: inverse, deleteRule)
    }

    /// One end of a many-to-many relationship.
    public init<Target: Entity>(
        _ name: String, _ keyPath: any WritableKeyPath<Root, Many<Target>> & Sendable,
        inverse: any WritableKeyPath<Target, Many<Root>> & Sendable, onDelete deleteRule: Relationship.DeleteRule = .nullify
    ) {
        self.init(toMany: name, keyPath, inverse: inverse, deleteRule)
    }

    private init<Target: Entity>(
        toOne name: String, _ keyPath: any WritableKeyPath<Root, One<Target>> & Sendable,
        inverse: (any AnyKeyPath & Sendable)?, _ deleteRule: Relationship.DeleteRule
    ) {
        let property = StoredProperty(keyPath)
        self.init(
            name, keyPath, property?.offset, options: [],
            access: property.map {
                .column(
                    ColumnAccess(
                        type: .reference, isOptional: true, $0,
                        encode: { id in id.map { .reference($0.object) } ?? .null },
                        decode: { value -> One<Target>? in
                            switch value {
                            case .null: .some(nil)
                            case .reference(let object): EntityID(object)
                            default: nil
                            }
                        }))
            }, relation: Self.relation(to: Target.self, inverse, isToMany: false, deleteRule))
    }

    private init<Target: Entity>(
        toMany name: String, _ keyPath: any WritableKeyPath<Root, Many<Target>> & Sendable,
        inverse: (any AnyKeyPath & Sendable)?, _ deleteRule: Relationship.DeleteRule
    ) {
        let property = StoredProperty(keyPath)
        self.init(
            name, keyPath, property?.offset, options: [],
            access: property.map { property in
                .toMany(
                    Accessor(
                        get: { property.get($0, $1).ids.map(\.object) },
                        set: { property.set($0, $1, Many($2.lazy.map { EntityID<Target>($0) })) }))
            }, relation: Self.relation(to: Target.self, inverse, isToMany: true, deleteRule))
    }

    private static func relation<Target: Entity>(
        to _: Target.Type, _ inverse: (any AnyKeyPath & Sendable)?, isToMany: Bool, _ deleteRule: Relationship.DeleteRule
    ) -> RelationDescription {
        RelationDescription(
            target: ObjectIdentifier(Target.self), targetSchema: { Target.schema.description }, inverse: inverse,
            isToMany: isToMany, deleteRule: deleteRule)
    }
}
