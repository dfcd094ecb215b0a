public import Projection

/// The objects at the other end of a to-many relationship in the closure of a predicate.
public struct ToManyExpression<Target: Entity>: Sendable {
    let names: [String]

    /// How many there are.
    public var count: PropertyExpression<Int> { PropertyExpression(.path(PropertyPath(names, countsObjects: true)), nil) }

    /// Whether there are none.
    public var isEmpty: Filter { count == 0 }

    /// Compares with each object; the comparison holds if it does for at least one: `$0.attachments.any.name == "a"`.
    public var any: ToOneExpression<Target> { ToOneExpression(names: names, quantifier: .any) }

    /// Compares with each object; the comparison holds if it does for every one, or there are none.
    public var all: ToOneExpression<Target> { ToOneExpression(names: names, quantifier: .all) }

    /// Compares with each object; the comparison holds if it does for none of them.
    public var none: ToOneExpression<Target> { ToOneExpression(names: names, quantifier: Comparison.Quantifier.none) }

    /// Whether the object is among them.
    public func contains(_ id: EntityID<Target>) -> Filter { any == id }
}
