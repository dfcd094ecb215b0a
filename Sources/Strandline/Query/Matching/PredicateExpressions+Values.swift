import EventLog
import Projection

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Variables, key paths and constants.
extension PredicateExpressions.Variable: LowerableExpression {
    func lowered(in scope: PredicateScope) throws(StoreError) -> LoweredExpression {
        guard let value = scope[key] else { throw PredicateScope.unsupported(self, "of something else than the object") }
        return value
    }
}

extension PredicateExpressions.KeyPath: LowerableExpression {
    func lowered(in scope: PredicateScope) throws(StoreError) -> LoweredExpression {
        switch try scope.lower(root) {
        case .object:
            guard let entity = Root.Output.self as? any Entity.Type else { break }
            let description = entity.schemaDescription
            let field = description.field(at: keyPath)
            if field == nil, Output.self is any ObjectNaming.Type { return .object }
            let path = PropertyPath([description.wireName(of: keyPath)])
            return field?.relation?.isToMany == true ? .many(path) : .operand(.path(path))
        case .many(let path):
            let count = Operand.path(PropertyPath(path.names, countsObjects: true))
            // Of the properties of a `Many` one alone is a Bool, and one that is of use a number.
            if Output.self == Bool.self { return .filter(.compare(count, .equal, .constant(.int(0)))) }
            if Output.self == Int.self { return .operand(count) }
        case .operand(let operand):
            if keyPath == \String.isEmpty { return .filter(.compare(operand, .equal, .constant(.string("")))) }
            if keyPath == \Counter.value { return .operand(operand) }
        default: break
        }
        throw PredicateScope.unsupported(self)
    }
}

extension PredicateExpressions.Value: LowerableExpression {
    func lowered(in scope: PredicateScope) throws(StoreError) -> LoweredExpression {
        if let constant = PredicateConstant.value(value) { return .operand(.constant(constant)) }
        if let range = value as? any ClosedBounds, let bounds = range.bounds {
            return .range(.constant(bounds.lower), .constant(bounds.upper), isClosed: range.isClosed)
        }
        if let sequence = value as? any Sequence {
            var list: [Operand] = []
            for element in sequence {
                guard let constant = PredicateConstant.value(element) else { throw PredicateScope.unsupported(self) }
                list.append(.constant(constant))
            }
            return .list(list)
        }
        throw PredicateScope.unsupported(self)
    }
}

extension PredicateExpressions.NilLiteral: LowerableExpression {
    func lowered(in scope: PredicateScope) throws(StoreError) -> LoweredExpression { .operand(.constant(.null)) }
}

extension PredicateExpressions.ForcedUnwrap: LowerableExpression {
    func lowered(in scope: PredicateScope) throws(StoreError) -> LoweredExpression { try scope.lower(inner) }
}

/// Constants that a predicate has captured.
private enum PredicateConstant {
    /// What is stored of a constant; nil when it is of no type that is.
    static func value(_ constant: Any) -> Value? {
        switch constant {
        case let value as any Storable: value.storedValue
        case let id as any ObjectNaming: id.reference
        case let character as Character: .string(String(character))
        default: nil
        }
    }

    static func bounds(_ lower: Any, _ upper: Any) -> (lower: Value, upper: Value)? {
        value(lower).flatMap { lower in value(upper).map { (lower, $0) } }
    }
}

/// An id, or perhaps none.
private protocol ObjectNaming {
    var reference: Value { get }
}

extension EntityID: ObjectNaming {
    fileprivate var reference: Value { .reference(object) }
}

extension Optional: ObjectNaming where Wrapped: ObjectNaming {
    fileprivate var reference: Value { self?.reference ?? .null }
}

/// A range that a predicate has captured.
private protocol ClosedBounds {
    /// Nil when they are of no type that is stored.
    var bounds: (lower: Value, upper: Value)? { get }
    var isClosed: Bool { get }
}

extension ClosedRange: ClosedBounds {
    fileprivate var bounds: (lower: Value, upper: Value)? {
        PredicateConstant.bounds(lowerBound, upperBound)
    }
    fileprivate var isClosed: Bool { true }
}

extension Range: ClosedBounds {
    fileprivate var bounds: (lower: Value, upper: Value)? {
        PredicateConstant.bounds(lowerBound, upperBound)
    }
    fileprivate var isClosed: Bool { false }
}

extension Entity {
    fileprivate static var schemaDescription: EntityDescription { schema.description }
}
