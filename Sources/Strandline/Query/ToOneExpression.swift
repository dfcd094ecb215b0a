public import Projection

/// The object at the other end of a to-one relationship in the closure of a predicate, or an object by its id.
///
/// Compare it with an id or nil, or go on to a property of the object: `$0.post.title == "Hello"`.
public struct ToOneExpression<Root: Entity>: ObjectExpression {
    public let names: [String]
    public let quantifier: Comparison.Quantifier?

    public static func == (a: Self, b: EntityID<Root>?) -> Filter { a.compare(.equal, [b]) }
    public static func != (a: Self, b: EntityID<Root>?) -> Filter { a.compare(.notEqual, [b]) }

    /// Whether the object is one of the given ones.
    public func isIn(_ ids: some Sequence<EntityID<Root>>) -> Filter { compare(.in, ids.map { $0 }) }

    private func compare(_ operator: Comparison.Operator, _ ids: [EntityID<Root>?]) -> Filter {
        .comparison(
            Comparison(
                .path(PropertyPath(names)), `operator`, ids.map { .constant($0.map { .reference($0.object) } ?? .null) },
                quantifier: quantifier))
    }
}
