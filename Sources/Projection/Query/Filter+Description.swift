import EventLog

extension Filter: CustomStringConvertible {
    /// The predicate as text, which reads back as the same filter (except for NaN, which has no text).
    public var description: String { written(within: .disjunction) }

    /// How tightly the surroundings bind: a filter that binds looser is written in parentheses.
    private enum Binding: Int { case disjunction, conjunction, negation }

    private func written(within binding: Binding) -> String {
        switch self {
        case .always(let holds): return holds ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let comparison): return comparison.description
        case .not(let filter): return "NOT " + filter.written(within: .negation)
        case .and(let filters):
            guard filters.count > 1 else { return filters.first?.written(within: binding) ?? "TRUEPREDICATE" }
            let text = filters.map { $0.written(within: .negation) }.joined(separator: " AND ")
            return binding == .negation ? "(\(text))" : text
        case .or(let filters):
            guard filters.count > 1 else { return filters.first?.written(within: binding) ?? "FALSEPREDICATE" }
            let text = filters.map { $0.written(within: .conjunction) }.joined(separator: " OR ")
            return binding == .disjunction ? text : "(\(text))"
        }
    }
}

extension Comparison: CustomStringConvertible {
    public var description: String {
        let sides = right.map(\.description).joined(separator: ", ")
        return (quantifier.map { $0.rawValue + " " } ?? "") + "\(left) \(`operator`.rawValue)\(options) "
            + (`operator`.takesList ? "{\(sides)}" : sides)
    }
}

extension Operand: CustomStringConvertible {
    public var description: String {
        switch self {
        case .path(let path): return path.description
        case .constant(let value): return Self.literal(value)
        case .arithmetic(let left, let operation, let right):
            let isTight = operation == .multiply || operation == .divide
            return left.parenthesised(if: isTight, orRight: false) + " \(operation.rawValue) "
                + right.parenthesised(if: isTight, orRight: true)
        }
    }

    /// The operand of an arithmetic operation: parentheses where precedence would read it otherwise.
    private func parenthesised(if isTight: Bool, orRight isRight: Bool) -> String {
        guard case .arithmetic(_, let operation, _) = self else { return description }
        let isLoose = operation == .add || operation == .subtract
        return isTight && (isRight || isLoose) || isRight && isLoose ? "(\(description))" : description
    }

    private static func literal(_ value: Value) -> String {
        switch value {
        case .null: "nil"
        case .bool(let value): value ? "YES" : "NO"
        case .int(let value), .counter(let value): String(value)
        case .double(let value): value.isInfinite ? (value < 0 ? "-1e999" : "1e999") : "\(value)"
        case .string(let value): PredicateLexer.quoted(value, by: "\"")
        case .date(let seconds):
            "CAST(\"\(DateLiteral.text(seconds) ?? DateLiteral.exact(seconds))\", \"NSDate\")"
        case .uuid(let bits): "CAST(\"\(IdentifierLiteral.text(bits))\", \"NSUUID\")"
        case .data(let bytes): "CAST(\"\(IdentifierLiteral.hex(bytes))\", \"NSData\")"
        case .blob(let blob): PredicateLexer.quoted(blob.id.description, by: "\"")
        case .reference(let id): PredicateLexer.quoted(id.description, by: "\"")
        }
    }
}
