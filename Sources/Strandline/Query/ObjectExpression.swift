public import Projection

/// Stands for an object in the closure of a predicate: its properties are expressions that comparisons make a `Filter` of.
///
/// ```swift
/// Post.where { $0.views > 500 && $0.title.contains("x") }
/// Attachment.where { $0.post.title == "Hello" }
/// Post.where { $0.attachments.any.name == "beer.jpg" || $0.attachments.isEmpty }
/// ```
@dynamicMemberLookup
public protocol ObjectExpression<Root>: Sendable {
    associatedtype Root: Entity
    /// The wire names of the relationships that lead to the object.
    var names: [String] { get }
    /// Over which of the objects a comparison must hold, where a to-many relationship is on the way.
    var quantifier: Comparison.Quantifier? { get }
}

extension ObjectExpression {
    /// A property.
    public subscript<V: Storable>(dynamicMember keyPath: KeyPath<Root, V>) -> PropertyExpression<V> {
        PropertyExpression(path(keyPath), quantifier)
    }

    /// A counter, by its sum.
    public subscript(dynamicMember keyPath: KeyPath<Root, Counter>) -> PropertyExpression<Int64> {
        PropertyExpression(path(keyPath), quantifier)
    }

    /// The object itself.
    public subscript(dynamicMember keyPath: KeyPath<Root, EntityID<Root>>) -> ToOneExpression<Root> {
        ToOneExpression(names: names, quantifier: quantifier)
    }

    /// The object at the other end of a relationship.
    public subscript<Target: Entity>(dynamicMember keyPath: KeyPath<Root, One<Target>>) -> ToOneExpression<Target> {
        ToOneExpression(names: path(keyPath), quantifier: quantifier)
    }

    /// The objects at the other end of a relationship.
    public subscript<Target: Entity>(dynamicMember keyPath: KeyPath<Root, Many<Target>>) -> ToManyExpression<Target> {
        ToManyExpression(names: path(keyPath))
    }

    private func path(_ keyPath: PartialKeyPath<Root>) -> [String] { names + [Root.schema.description.wireName(of: keyPath)] }
}

/// The object that a predicate is about.
public struct RootExpression<Root: Entity>: ObjectExpression {
    public var names: [String] { [] }
    public var quantifier: Comparison.Quantifier? { nil }
}

extension EntityDescription {
    /// The wire name of a property.
    ///
    /// One without a line in the schema gives a name that no field has, so that the fetch throws and names it, where a crash
    /// here would name nothing.
    func wireName(of keyPath: AnyKeyPath) -> String { field(at: keyPath)?.name ?? "\(keyPath)" }
}
