/// What a store knows of an entity: its wire name, and a line for each property that is kept.
///
/// ```swift
/// static let schema = Schema<Self>("Post", version: 2) {
///     Field("title", \.title, .indexed)
///     Field("author", \.author)
///     Field("slug", \.slug)
///     Unique(\.author, \.slug)
/// }
/// ```
///
/// Adding, removing and reordering lines needs no migration and no version. Raise `version` when the rules of a line that other
/// replicas already know, such as a delete rule or the key, are to change everywhere.
public struct Schema<Root: Entity>: Sendable {
    let description: EntityDescription

    /// - Parameters:
    ///   - name: the wire name, which stays when the Swift type is renamed.
    ///   - version: at least 1; among replicas the highest version's rules hold.
    ///   - lines: ``Field``s, and at most one ``Unique`` key.
    public init(_ name: String, version: UInt32 = 1, @SchemaBuilder<Root> _ lines: () -> [any SchemaLine<Root>]) {
        let lines = lines()
        let fields = lines.compactMap { ($0 as? Field<Root>)?.description }
        description = EntityDescription(
            name: name, version: version, type: ObjectIdentifier(Root.self), typeName: "\(Root.self)", fields: fields,
            uniqueKeys: lines.compactMap { ($0 as? Unique<Root>)?.keyPaths } + fields.filter(\.isUnique).map { [$0.keyPath] },
            storedProperties: { ReflectedProperty.all(of: Root()) })
    }

    /// What is wrong with the schema by itself.
    ///
    /// Properties that are not stored ones, wire names used twice, keys that cannot be, and, in debug builds, stored
    /// properties without a line. `Store.open` checks this, and the relationships among all
    /// entities; in a unit test, expect it to be empty.
    public func problems() -> [SchemaProblem] { description.problems() }
}
