// Invariants
// * `tokens` holds what nobody has taken yet, in the order it was written. Reading takes; `finish()` rejects the rest.
// * A command reads its options first, then its positionals: only then is it known which words are values of options.
// * A value that begins with "--" must be written `--name=value`, so the order in which options are read does not matter.

/// The arguments of one command, taken one by one.
///
/// ```swift
/// let json = try arguments.flag("--json")
/// let limit = try arguments.option("--limit", as: Int.self)
/// let store = try arguments.positional("STORE")
/// try arguments.finish()
/// ```
///
/// Understands `--name value`, `--name=value`, and `--` before words that look like options. Negative numbers are values.
/// Every error is a usage error.
package struct ArgumentReader: Sendable {
    private enum Token: Equatable {
        /// A word before `--`: an option, or a value.
        case word(String)
        /// A word after `--`: never an option.
        case literal(String)
    }

    private var tokens: [Token]
    private var known: [String] = []
    private var readPositionals = false

    /// The words after the command's name.
    package init(_ arguments: [String]) {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        tokens = arguments[..<end].map(Token.word) + arguments[end...].dropFirst().map(Token.literal)
    }

    /// Takes an option without a value; tells whether it was there.
    package mutating func flag(_ name: String) throws(CommandError) -> Bool {
        note(name)
        guard let index = tokens.firstIndex(where: { matches($0, name) }) else { return false }
        guard tokens[index] == .word(name) else { throw .usage("\(name) takes no value") }
        tokens.remove(at: index)
        guard !tokens.contains(where: { matches($0, name) }) else { throw .usage("\(name) is given twice") }
        return true
    }

    /// Takes an option with a value; nil when it was not there.
    package mutating func option<Value: ArgumentValue>(_ name: String, as type: Value.Type) throws(CommandError) -> Value? {
        let values = try options(name, as: type)
        guard values.count <= 1 else {
            throw .usage("\(name) is given \(values.count == 2 ? "twice" : "\(values.count) times")")
        }
        return values.first
    }

    /// Takes every occurrence of an option that may be repeated, in the order written.
    package mutating func options<Value: ArgumentValue>(_ name: String, as type: Value.Type) throws(CommandError) -> [Value] {
        note(name)
        var values: [Value] = []
        while let index = tokens.firstIndex(where: { matches($0, name) }) {
            values.append(try convert(try takeValue(of: name, at: index), name))
        }
        return values
    }

    /// Takes a text option; nil when it was not there.
    package mutating func option(_ name: String) throws(CommandError) -> String? { try option(name, as: String.self) }

    /// Takes every occurrence of a text option.
    package mutating func options(_ name: String) throws(CommandError) -> [String] { try options(name, as: String.self) }

    /// Takes the next word that must be there; `name` is how the usage line calls it ("STORE").
    package mutating func positional<Value: ArgumentValue>(_ name: String, as type: Value.Type) throws(CommandError) -> Value {
        guard let value = try optionalPositional(name, as: type) else { throw .usage("\(name) is missing") }
        return value
    }

    /// Takes the next word as text; it must be there.
    package mutating func positional(_ name: String) throws(CommandError) -> String { try positional(name, as: String.self) }

    /// Takes all that is left as it was written, for another command.
    package mutating func rest() -> [String] {
        readPositionals = true
        defer { tokens = [] }
        var words: [String] = []
        var literals: [String] = []
        for token in tokens {
            switch token {
            case .word(let word): words.append(word)
            case .literal(let word): literals.append(word)
            }
        }
        return literals.isEmpty ? words : words + ["--"] + literals
    }

    /// Takes the next word, or nil when there is none left.
    package mutating func optionalPositional<Value: ArgumentValue>(
        _ name: String, as type: Value.Type
    ) throws(CommandError) -> Value? {
        readPositionals = true
        try rejectUnknownOptions()
        guard let first = tokens.first else { return nil }
        tokens.removeFirst()
        return try convert(text(of: first), name)
    }

    /// Takes the next word as text, or nil when there is none left.
    package mutating func optionalPositional(_ name: String) throws(CommandError) -> String? {
        try optionalPositional(name, as: String.self)
    }

    /// Rejects whatever nobody has taken, naming the option that was probably meant.
    package mutating func finish() throws(CommandError) {
        try rejectUnknownOptions()
        guard let first = tokens.first else { return }
        throw .usage("unexpected argument '\(text(of: first))'")
    }

    // MARK: - How it works

    private mutating func note(_ name: String) {
        precondition(!readPositionals, "\(name) is read after a positional; read all options first")
        known.append(name)
    }

    private func matches(_ token: Token, _ name: String) -> Bool {
        guard case .word(let word) = token else { return false }
        return word == name || word.hasPrefix(name + "=")
    }

    private func text(of token: Token) -> String {
        switch token {
        case .word(let text), .literal(let text): text
        }
    }

    private mutating func takeValue(of name: String, at index: Int) throws(CommandError) -> String {
        let word = text(of: tokens.remove(at: index))
        if word != name { return String(word.dropFirst(name.count + 1)) }
        guard index < tokens.count, case .word(let value) = tokens[index], !value.hasPrefix("--") else {
            throw .usage("\(name) needs a value")
        }
        tokens.remove(at: index)
        return value
    }

    private func convert<Value: ArgumentValue>(_ text: String, _ name: String) throws(CommandError) -> Value {
        guard let value = Value(argument: text) else { throw .usage("\(name) needs \(Value.expectation), not '\(text)'") }
        return value
    }

    /// A lone "-" (standard input) and negative numbers are words, everything else that begins with "-" is an option.
    private func looksLikeOption(_ word: String) -> Bool {
        word.hasPrefix("-") && word != "-" && Double(word) == nil
    }

    private func rejectUnknownOptions() throws(CommandError) {
        for case .word(let word) in tokens where looksLikeOption(word) {
            let name = String(word.prefix { $0 != "=" })
            if let meant = EditDistance.nearest(to: name, in: known) {
                throw .usage("there is no option \(name); did you mean \(meant)?")
            }
            throw .usage("there is no option \(name)")
        }
    }
}
