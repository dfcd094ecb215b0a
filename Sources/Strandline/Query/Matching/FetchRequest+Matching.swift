import Projection

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension FetchRequest {
    /// Only objects that a predicate of Foundation holds for too.
    ///
    /// ```swift
    /// let limit = 500
    /// let request = try Post.matching(#Predicate { $0.views > limit && $0.title.contains("x") })
    /// ```
    ///
    /// It is translated, not evaluated: comparisons, `&&`, `||`, `!`, `?:`, `??`, `?.`, `!` after an optional, `if let`, arithmetic,
    /// `contains`, `starts(with:)`, `isEmpty` of a text or a ``Many``, `count` of a ``Many``, ranges and lists. Prefer closures of
    /// ``where(_:)``: they compile faster, say more (to-one key paths, options of texts), and throw nothing.
    ///
    /// - Throws: ``StoreError`` `invalidPredicate`, with the name of the part, for what no filter can say.
    public func matching(_ predicate: Predicate<Root>) throws(StoreError) -> Self {
        let condition = try PredicateScope(root: predicate.variable.key).condition(predicate.expression)
        return self.where { _ in condition }
    }
}

extension Entity {
    /// A request for the objects that a predicate of Foundation holds for; see ``FetchRequest/matching(_:)``.
    ///
    /// - Throws: ``StoreError`` `invalidPredicate`.
    public static func matching(_ predicate: Predicate<Self>) throws(StoreError) -> FetchRequest<Self> {
        try all.matching(predicate)
    }
}
