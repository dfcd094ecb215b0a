public import EventLog

/// What a comparison compares.
public indirect enum Operand: Hashable, Sendable {
    /// A property of the object, or of the objects it refers to.
    case path(PropertyPath)
    case constant(Value)
    /// Of numbers. Null if a side is null, or an integer is divided by zero. Integers stay integers (division cuts towards
    /// zero) unless the result does not fit in 64 bits: then it is a double, as it is when a side is one.
    case arithmetic(Operand, Arithmetic, Operand)

    public enum Arithmetic: String, Hashable, Sendable {
        case add = "+", subtract = "-", multiply = "*", divide = "/"
    }

    /// A property of the object itself, by its wire name.
    public static func property(_ name: String) -> Operand { .path(PropertyPath(name)) }
}
