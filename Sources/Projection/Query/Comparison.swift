/// One comparison of a predicate: `ANY attachments.size >= 1000`.
public struct Comparison: Hashable, Sendable {
    public enum Operator: String, Hashable, Sendable, CaseIterable {
        case equal = "==", notEqual = "!=", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
        /// Within two bounds, both included.
        case between = "BETWEEN"
        case `in` = "IN"
        case contains = "CONTAINS", beginsWith = "BEGINSWITH", endsWith = "ENDSWITH"
        /// The whole string fits a pattern in which `?` stands for one character and `*` for any number; `\` before either
        /// takes its meaning away.
        case like = "LIKE"
        /// The whole string fits a regular expression of Swift's `Regex`. It backtracks, so a pattern such as `(a+)+b` can
        /// take exponential time: take patterns from your program or its user, never from a peer.
        case matches = "MATCHES"
    }

    /// Over which of the objects at the end of a to-many path the comparison must hold.
    public enum Quantifier: String, Hashable, Sendable {
        /// At least one; `SOME` is the same.
        case any = "ANY"
        /// Every one; true when there are none.
        case all = "ALL"
        case none = "NONE"
    }

    public var quantifier: Quantifier?
    public var left: Operand
    public var `operator`: Operator
    public var options: TextOptions
    /// One operand; for `between` the two bounds, for `in` any number.
    public var right: [Operand]

    public init(
        _ left: Operand, _ operator: Operator, _ right: [Operand], options: TextOptions = [], quantifier: Quantifier? = nil
    ) {
        self.quantifier = quantifier
        self.left = left
        self.operator = `operator`
        self.options = options
        self.right = right
    }
}

extension Comparison.Operator {
    /// Whether the right-hand side is a list in braces.
    var takesList: Bool { self == .between || self == .in }

    /// Whether only strings can be compared with it.
    var isTextual: Bool {
        switch self {
        case .contains, .beginsWith, .endsWith, .like, .matches: true
        default: false
        }
    }

    /// Whether it asks for an order.
    var isOrdering: Bool {
        switch self {
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .between: true
        default: false
        }
    }

    /// The operator that says the same with the sides exchanged; nil if there is none.
    var mirrored: Comparison.Operator? {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        default: nil
        }
    }
}
