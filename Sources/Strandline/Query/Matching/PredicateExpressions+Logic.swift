import Projection

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Conditions and what joins them.
extension PredicateScope {
    fileprivate func comparison(
        _ node: some Any, _ left: some Any, _ comparator: Comparison.Operator, _ right: some Any
    ) throws(StoreError) -> LoweredExpression {
        guard let filter = try lower(left).compared(comparator, try lower(right)) else { throw Self.unsupported(node) }
        return .filter(filter)
    }
}

extension PredicateExpressions.Equal: LowerableExpression {
    func lowered(in scope: PredicateScope) throws(StoreError) -> LoweredExpression {
        try scope.comparison(self, lhs, .equal, rhs)
    }
}

extension PredicateExpressions.NotEqual: LowerableExpression {
    func lowered(in scope: PredicateScope) throws(StoreError) -> LoweredExpression {
        try scope.comparison(self, lhs, .notEqual, rhs)
    }
}

extension PredicateExpressions.Comparison: LowerableExpression {
    func lowered(in scope: PredicateScope) throws(StoreError) -> LoweredExpression {
        switch op {
        case .lessThan: try scope.comparison(self, lhs, .less, rhs)
        case .lessThanOrEqual: try scope.comparison(self, lhs, .lessOrEqual, rhs)
        case .greaterThan: try scope.comparison(self, lhs, .greater, rhs)
        case .greaterThanOrEqual: try scope.comparison(self, lhs, .greaterOrEqual, rhs)
        @unknown default: throw PredicateScope.unsupported(self)
        }
    }
}

extension PredicateExpressions.Conjunction: LowerableExpression {
    func lowered(in scope: PredicateScope) throws(StoreError) -> LoweredExpression {
        .filter(try scope.condition(lhs) && scope.condition(rhs))
    }
}

extension PredicateExpressions.Disjunction: LowerableExpression {
    func lowered(in scope: PredicateScope) throws(StoreError) -> LoweredExpression {
        .filter(try scope.condition(lhs) || scope.condition(rhs))
    }
}

extension PredicateExpressions.Negation: LowerableExpression {
    func lowered(in scope: PredicateScope) throws(StoreError) -> LoweredExpression { .filter(!(try scope.condition(wrapped))) }
}

extension PredicateExpressions.Conditional: LowerableExpression {
    func lowered(in scope: PredicateScope) throws(StoreError) -> LoweredExpression {
        let condition = try scope.condition(test)
        return .filter(try condition && scope.condition(trueBranch) || !condition && scope.condition(falseBranch))
    }
}

extension PredicateExpressions.NilCoalesce: LowerableExpression {
    func lowered(in scope: PredicateScope) throws(StoreError) -> LoweredExpression {
        switch try scope.lower(lhs) {
        case .condition(let filter, let nilWith):
            guard let nilWith else { return .filter(filter) }
            return .filter(filter || LoweredExpression.isNil(nilWith) && (try scope.condition(rhs)))
        case .operand(let value): return .coalesced(value, try scope.operand(rhs))
        default: throw PredicateScope.unsupported(self)
        }
    }
}

extension PredicateExpressions.OptionalFlatMap: LowerableExpression {
    func lowered(in scope: PredicateScope) throws(StoreError) -> LoweredExpression {
        let value = try scope.operand(wrapped)
        switch try scope.binding(variable.key, to: .operand(value)).lower(transform) {
        case .condition(let filter, _): return .condition(filter && !LoweredExpression.isNil(value), nilWith: value)
        // Figures from nil are nil.
        case .operand(let result) where result != value:
            if case .constant = result { throw PredicateScope.unsupported(self, "that gives a constant") }
            return .operand(result)
        case .operand(let result): return .operand(result)
        default: throw PredicateScope.unsupported(self)
        }
    }
}
