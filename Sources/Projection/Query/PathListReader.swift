/// Reads lists of property paths as the command line takes them: `time,-magnitude`, `avg:magnitude,count`.
///
/// Paths are those of predicates, but no word is reserved.
struct PathListReader {
    private let text: String
    private let tokens: [PredicateToken]
    private var index = 0

    init(_ text: String) throws(PredicateError) {
        self.text = text
        // Outside predicates a colon parts a function from its path; none occurs in an unquoted name.
        tokens = try PredicateLexer.tokens(of: text, allowingColon: true)
    }

    var current: PredicateToken { tokens[index] }

    mutating func accept(_ symbol: String) -> Bool {
        guard current.kind == .symbol(symbol) else { return false }
        index += 1
        return true
    }

    /// The next name, as it is written.
    mutating func name() throws(PredicateError) -> String {
        switch current.kind {
        case .word(let name), .name(let name):
            index += 1
            return name
        default: throw failure("expected a property's name, not \(current.shown)")
        }
    }

    mutating func path() throws(PredicateError) -> PropertyPath {
        var names = [try name()]
        while accept(".") {
            if current.kind == .collectionOperator("count") {
                index += 1
                return PropertyPath(names, countsObjects: true)
            }
            names.append(try name())
        }
        return PropertyPath(names)
    }

    /// `[c]`, `[d]` or `[cd]`, or nothing.
    mutating func options() throws(PredicateError) -> TextOptions {
        guard case .modifiers(let letters) = current.kind else { return [] }
        guard let options = TextOptions(letters: letters) else {
            throw failure("unknown modifier [\(letters)]; there are [c], [d] and [cd]")
        }
        index += 1
        return options
    }

    mutating func finish() throws(PredicateError) {
        if current.kind != .end { throw failure("expected ',' or the end, not \(current.shown)") }
    }

    func failure(_ message: String, at position: Int? = nil) -> PredicateError {
        PredicateError(.syntax, message, scalar: position ?? current.position, in: text)
    }
}
