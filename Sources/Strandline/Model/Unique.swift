/// A line of a ``Schema`` that declares the unique key: `Unique(\.author, \.slug)`.
///
/// Objects with equal values of all these properties, none of them null, are one object, also when they were created on two
/// replicas. An entity has at most one key; for a key of one property `Field("slug", \.slug, .unique)` says the same.
public struct Unique<Root: Entity>: SchemaLine {
    let keyPaths: [any AnyKeyPath & Sendable]

    /// - Parameter keyPaths: properties that have a ``Field`` in the same schema, in the order that the key compares them.
    public init(_ keyPaths: any PartialKeyPath<Root> & Sendable...) { self.keyPaths = keyPaths.map { $0 } }
}
