package import EventLog

/// A filter that fits an entity: every path leads somewhere, and every comparison is between values that can be compared.
///
/// Literals already have the type of what they are compared with. ``CompiledFilter`` makes it fast.
package indirect enum BoundFilter: Hashable, Sendable {
    case always(Bool)
    case comparison(BoundComparison)
    case and([BoundFilter])
    case or([BoundFilter])
    case not(BoundFilter)
}

package struct BoundComparison: Hashable, Sendable {
    package let quantifier: Comparison.Quantifier?
    package let left: BoundOperand
    package let `operator`: Comparison.Operator
    package let options: TextOptions
    package let right: [BoundOperand]
}

package indirect enum BoundOperand: Hashable, Sendable {
    case path(BoundPath)
    case constant(Value)
    case arithmetic(BoundOperand, Operand.Arithmetic, BoundOperand)
}
