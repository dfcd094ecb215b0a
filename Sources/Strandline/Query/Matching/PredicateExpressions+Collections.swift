import Projection

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Figures, texts, lists and ranges.
extension PredicateExpressions.Arithmetic: LowerableExpression {
    func lowered(in scope: PredicateScope) throws(StoreError) -> LoweredExpression {
        let operation: Operand.Arithmetic
        switch op {
        case .add: operation = .add
        case .subtract: operation = .subtract
        case .multiply: operation = .multiply
        @unknown default: throw PredicateScope.unsupported(self)
        }
        return .operand(.arithmetic(try scope.operand(lhs), operation, try scope.operand(rhs)))
    }
}

extension PredicateExpressions.IntDivision: LowerableExpression {
    func lowered(in scope: PredicateScope) throws(StoreError) -> LoweredExpression {
        .operand(.arithmetic(try scope.operand(lhs), .divide, try scope.operand(rhs)))
    }
}

extension PredicateExpressions.FloatDivision: LowerableExpression {
    func lowered(in scope: PredicateScope) throws(StoreError) -> LoweredExpression {
        .operand(.arithmetic(try scope.operand(lhs), .divide, try scope.operand(rhs)))
    }
}

extension PredicateExpressions.UnaryMinus: LowerableExpression {
    func lowered(in scope: PredicateScope) throws(StoreError) -> LoweredExpression {
        .operand(.arithmetic(.constant(.int(0)), .subtract, try scope.operand(wrapped)))
    }
}

extension PredicateExpressions.CollectionContainsCollection: LowerableExpression {
    func lowered(in scope: PredicateScope) throws(StoreError) -> LoweredExpression {
        .filter(.compare(try scope.operand(base), .contains, try scope.operand(other)))
    }
}

extension PredicateExpressions.SequenceStartsWith: LowerableExpression {
    func lowered(in scope: PredicateScope) throws(StoreError) -> LoweredExpression {
        .filter(.compare(try scope.operand(base), .beginsWith, try scope.operand(prefix)))
    }
}

extension PredicateExpressions.SequenceContains: LowerableExpression {
    func lowered(in scope: PredicateScope) throws(StoreError) -> LoweredExpression {
        let element = try scope.operand(element)
        switch try scope.lower(sequence) {
        case .list(let list): return .filter(.comparison(Comparison(element, .in, list)))
        case .many(let path): return .filter(.comparison(Comparison(.path(path), .equal, [element], quantifier: .any)))
        case .operand(let text): return .filter(.compare(text, .contains, element))
        default: throw PredicateScope.unsupported(self)
        }
    }
}

extension PredicateExpressions.Range: LowerableExpression {
    func lowered(in scope: PredicateScope) throws(StoreError) -> LoweredExpression {
        .range(try scope.operand(lower), try scope.operand(upper), isClosed: false)
    }
}

extension PredicateExpressions.ClosedRange: LowerableExpression {
    func lowered(in scope: PredicateScope) throws(StoreError) -> LoweredExpression {
        .range(try scope.operand(lower), try scope.operand(upper), isClosed: true)
    }
}

extension PredicateExpressions.RangeExpressionContains: LowerableExpression {
    func lowered(in scope: PredicateScope) throws(StoreError) -> LoweredExpression {
        let element = try scope.operand(element)
        guard case .range(let lower, let upper, let isClosed) = try scope.lower(range) else {
            throw PredicateScope.unsupported(self)
        }
        if isClosed { return .filter(.comparison(Comparison(element, .between, [lower, upper]))) }
        return .filter(.compare(element, .greaterOrEqual, lower) && .compare(element, .less, upper))
    }
}
