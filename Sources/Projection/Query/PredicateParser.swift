import EventLog

/// Reads predicates as NSPredicate writes them, by recursive descent.
///
/// Loosest to tightest: `OR` (`||`), `AND` (`&&`), `NOT` (`!`), comparison, `+ -`, `* /`, sign. Reserved words in any case.
///
/// Beyond NSPredicate: a name between backquotes may hold any characters. Not supported, and refused with that reason: format
/// arguments, variables, `SUBQUERY`, functions, `@sum` and its like, the modifiers `n` and `l`.
package struct PredicateParser {
    /// How deep parentheses, `NOT` and arithmetic may nest, so that a text from outside cannot exhaust the stack.
    package static let maximumDepth = 100

    /// What a text says, and where it says it.
    package struct Result {
        package let filter: Filter
        package let text: String
        /// Where each path stands first, in scalars.
        let positions: [PropertyPath: Int]
    }

    /// A part of the text of which only its surroundings tell whether it had to be a condition or a value.
    struct Node {
        enum Content {
            case filter(Filter)
            case operand(Operand)
        }
        let content: Content
        let position: Int
    }

    let text: String
    private let tokens: [PredicateToken]
    private var index = 0
    private var depth = 0
    private var positions: [PropertyPath: Int] = [:]

    init(_ text: String) throws(PredicateError) {
        self.text = text
        tokens = try PredicateLexer.tokens(of: text)
    }

    package static func parse(_ text: String) throws(PredicateError) -> Result {
        var parser = try PredicateParser(text)
        if parser.current.kind == .end {
            throw parser.failure(.syntax, "the predicate is empty; write TRUEPREDICATE for all objects")
        }
        let node = try parser.disjunction()
        let filter = try parser.filter(node)
        if parser.current.kind != .end { throw parser.unexpected() }
        return Result(filter: filter, text: text, positions: parser.positions)
    }
}

// Tokens
extension PredicateParser {
    var current: PredicateToken { tokens[index] }
    var following: PredicateToken { tokens[min(index + 1, tokens.count - 1)] }
    /// What stood before the current token, for messages.
    var previous: PredicateToken? { index > 0 ? tokens[index - 1] : nil }

    mutating func advance() { index = min(index + 1, tokens.count - 1) }

    mutating func accept(_ symbol: String) -> Bool {
        guard current.kind == .symbol(symbol) else { return false }
        advance()
        return true
    }

    mutating func accept(_ keyword: Keyword) -> Bool {
        guard current.keyword == keyword else { return false }
        advance()
        return true
    }

    mutating func expect(_ symbol: String, _ purpose: String) throws(PredicateError) {
        if !accept(symbol) { throw failure(.syntax, "expected '\(symbol)' \(purpose), not \(current.shown)") }
    }

    mutating func enter() throws(PredicateError) {
        depth += 1
        if depth > Self.maximumDepth { throw failure(.tooDeep, "nested deeper than \(Self.maximumDepth) levels") }
    }

    mutating func leave(_ levels: Int = 1) { depth -= levels }

    mutating func note(_ path: PropertyPath, at position: Int) {
        if positions[path] == nil { positions[path] = position }
    }

    func failure(_ code: PredicateError.Code, _ message: String, at position: Int? = nil) -> PredicateError {
        PredicateError(code, message, scalar: position ?? current.position, in: text)
    }

    /// The error for a token with which nothing can go on.
    private func unexpected() -> PredicateError {
        if comparisonOperator != nil {
            return failure(.syntax, "a comparison cannot be compared again; join two comparisons with AND")
        }
        if current.keyword == .not, following.keyword == .in || following.keyword == .contains {
            return failure(.syntax, "NOT stands before the whole comparison: NOT name \(following.text.uppercased()) …")
        }
        return failure(.syntax, "expected AND, OR or the end, not \(current.shown)")
    }
}

// Logic
extension PredicateParser {
    mutating func disjunction() throws(PredicateError) -> Node {
        let first = try conjunction()
        var filters: [Filter] = []
        while accept(.or) || accept("||") {
            if filters.isEmpty { filters.append(try filter(first)) }
            let next = try conjunction()
            filters.append(try filter(next))
        }
        guard !filters.isEmpty else { return first }
        let flat = filters.flatMap { if case .or(let inner) = $0 { inner } else { [$0] } }
        return Node(content: .filter(.or(flat)), position: first.position)
    }

    private mutating func conjunction() throws(PredicateError) -> Node {
        let first = try negation()
        var filters: [Filter] = []
        while accept(.and) || accept("&&") {
            if filters.isEmpty { filters.append(try filter(first)) }
            let next = try negation()
            filters.append(try filter(next))
        }
        guard !filters.isEmpty else { return first }
        let flat = filters.flatMap { if case .and(let inner) = $0 { inner } else { [$0] } }
        return Node(content: .filter(.and(flat)), position: first.position)
    }

    private mutating func negation() throws(PredicateError) -> Node {
        let position = current.position
        guard accept(.not) || accept("!") else { return try comparison() }
        try enter()
        defer { leave() }
        let negated = try negation()
        return Node(content: .filter(.not(try filter(negated))), position: position)
    }

    /// The node as a condition.
    private func filter(_ node: Node) throws(PredicateError) -> Filter {
        switch node.content {
        case .filter(let filter): return filter
        case .operand(.path(let path)):
            if current.keyword == .not { throw unexpected() }
            throw failure(
                .syntax, "expected a comparison; a property alone is no condition, write \(path) == YES", at: node.position)
        case .operand:
            throw failure(.syntax, "expected a comparison; a value alone is no condition", at: node.position)
        }
    }

    private mutating func comparison() throws(PredicateError) -> Node {
        let position = current.position
        let quantifier = acceptQuantifier()
        let left = try sum()
        guard let comparator = comparisonOperator else {
            if quantifier != nil { throw failure(.syntax, "expected a comparison operator, not \(current.shown)") }
            return left
        }
        let leftOperand = try operand(left)
        advance()
        let options = try acceptModifiers(of: comparator)
        let rightPosition = current.position
        let right = comparator.takesList ? try list(for: comparator) : [try operand(sum())]
        try check(right, of: comparator, at: rightPosition)
        let comparison = Comparison(leftOperand, comparator, right, options: options, quantifier: quantifier)
        return Node(content: .filter(.comparison(comparison)), position: position)
    }

    private mutating func acceptQuantifier() -> Comparison.Quantifier? {
        if accept(.any) || accept(.some) { return .any }
        if accept(.all) { return .all }
        return accept(.none) ? Comparison.Quantifier.none : nil
    }

    /// The operator that the current token is.
    private var comparisonOperator: Comparison.Operator? {
        switch current.kind {
        case .symbol(let symbol): Comparison.Operator(rawValue: symbol)
        case .word(let word): Comparison.Operator(rawValue: word.uppercased())
        default: nil
        }
    }

    private mutating func acceptModifiers(of comparator: Comparison.Operator) throws(PredicateError) -> TextOptions {
        guard case .modifiers(let letters) = current.kind else { return [] }
        if letters.lowercased().contains(where: { $0 == "n" || $0 == "l" }) {
            throw failure(.unsupported, "the modifiers n and l are not supported; strings compare without a locale")
        }
        guard let options = TextOptions(letters: letters) else {
            throw failure(.syntax, "unknown modifier [\(letters)]; there are [c], [d] and [cd]")
        }
        advance()
        return options
    }

    private mutating func list(for comparator: Comparison.Operator) throws(PredicateError) -> [Operand] {
        let start = current.position
        try expect("{", "to begin the list of \(comparator.rawValue), as in {1, 2}")
        var result: [Operand] = []
        if !accept("}") {
            repeat { result.append(try operand(sum())) } while accept(",")
            try expect("}", "or ',' in the list")
        }
        if comparator == .between, result.count != 2 {
            throw failure(.syntax, "BETWEEN takes two bounds, as in {1, 5}, not \(result.count)", at: start)
        }
        return result
    }

    /// Finds patterns that cannot be used while their position is known.
    private func check(_ right: [Operand], of comparator: Comparison.Operator, at position: Int) throws(PredicateError) {
        guard comparator == .matches, case .constant(.string(let pattern)) = right.first else { return }
        if let reason = RegularExpression.mistake(in: pattern) {
            throw failure(.invalidPattern, "not a regular expression: \(reason)", at: position)
        }
    }
}
