import Projection

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A node of a `Predicate` that a ``Filter`` can say.
///
/// Nodes conform whatever their parts are; a part that does not conform is named in the error.
protocol LowerableExpression {
    func lowered(in scope: PredicateScope) throws(StoreError) -> LoweredExpression
}

/// What the variables of a `Predicate` stand for.
struct PredicateScope {
    private var variables: [PredicateExpressions.VariableID: LoweredExpression]

    init(root: PredicateExpressions.VariableID) { variables = [root: .object] }

    subscript(variable: PredicateExpressions.VariableID) -> LoweredExpression? { variables[variable] }

    func binding(_ variable: PredicateExpressions.VariableID, to value: LoweredExpression) -> PredicateScope {
        var copy = self
        copy.variables[variable] = value
        return copy
    }

    /// What a node means.
    ///
    /// - Throws: `invalidPredicate`, with the name of the node, when no filter can say it.
    func lower(_ node: some Any) throws(StoreError) -> LoweredExpression {
        guard let node = node as? any LowerableExpression else { throw Self.unsupported(node) }
        return try node.lowered(in: self)
    }

    /// What a node means as a condition.
    func condition(_ node: some Any) throws(StoreError) -> Filter {
        guard let condition = try lower(node).condition else { throw Self.unsupported(node, "where a condition should be") }
        return condition
    }

    /// What a node means as a value.
    func operand(_ node: some Any) throws(StoreError) -> Operand {
        guard let operand = try lower(node).operand else { throw Self.unsupported(node, "where a value should be") }
        return operand
    }

    static func unsupported(_ node: some Any, _ place: String = "") -> StoreError {
        let whole = "\(type(of: node))"
        let name = whole.prefix { $0 != "<" }
        return StoreError(
            .invalidPredicate,
            "a #Predicate with \(name)\(place.isEmpty ? "" : " " + place) cannot be answered from columns (\(whole.prefix(200))); "
                + "write it as a closure of `where`, or filter what was fetched")
    }
}
