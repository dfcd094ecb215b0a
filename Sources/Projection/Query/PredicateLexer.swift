/// Cuts a predicate's text into tokens.
struct PredicateLexer {
    private let characters: [Character]
    private let text: String
    private let allowsColon: Bool
    private var index = 0

    private init(_ text: String, allowsColon: Bool) {
        self.text = text
        self.allowsColon = allowsColon
        characters = Array(text)
    }

    /// All tokens, the last being `end`.
    static func tokens(of text: String, allowingColon: Bool = false) throws(PredicateError) -> [PredicateToken] {
        var lexer = PredicateLexer(text, allowsColon: allowingColon)
        var result: [PredicateToken] = []
        repeat { result.append(try lexer.next()) } while result.last?.kind != .end
        return result
    }

    static func startsIdentifier(_ character: Character) -> Bool { character.isLetter || character == "_" }
    static func continuesIdentifier(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    private var current: Character? { index < characters.count ? characters[index] : nil }

    private func failure(_ code: PredicateError.Code, _ message: String, at position: Int) -> PredicateError {
        PredicateError(code, message, position: position, text: text)
    }

    private mutating func next() throws(PredicateError) -> PredicateToken {
        while let character = current, character.isWhitespace { index += 1 }
        let start = index
        let kind = try scan()
        return PredicateToken(kind: kind, position: start, text: String(characters[start..<index]))
    }

    private mutating func scan() throws(PredicateError) -> PredicateToken.Kind {
        guard let character = current else { return .end }
        let start = index
        switch character {
        case "\"", "'": return .string(try quoted(until: character))
        case "`": return .name(try quoted(until: character))
        case "#":
            index += 1
            guard let word = word() else { throw failure(.syntax, "expected a property's name after '#'", at: start) }
            return .name(word)
        case "@":
            index += 1
            guard let word = word() else { throw failure(.syntax, "expected 'count' after '@'", at: start) }
            return .collectionOperator(word)
        case "[":
            guard let end = characters[start...].firstIndex(of: "]") else {
                throw failure(.syntax, "'[' is not closed; comparison modifiers are written [c], [d] or [cd]", at: start)
            }
            index = end + 1
            return .modifiers(String(characters[start + 1..<end]))
        case "%":
            throw failure(
                .unsupported, "format arguments such as %@ are not supported; write the value itself, strings in quotes", at: start)
        case "$":
            throw failure(.unsupported, "variables are not supported; write the value itself", at: start)
        case _ where character.isASCII && character.isNumber: return .number(try number())
        case _ where Self.startsIdentifier(character): return .word(word() ?? "")
        default: return try symbol()
        }
    }

    private mutating func word() -> String? {
        let start = index
        guard let first = current, Self.startsIdentifier(first) else { return nil }
        while let character = current, Self.continuesIdentifier(character) { index += 1 }
        return String(characters[start..<index])
    }

    private mutating func number() throws(PredicateError) -> String {
        let start = index
        func isDigit(_ position: Int) -> Bool {
            position < characters.count && characters[position].isASCII && characters[position].isNumber
        }
        while isDigit(index) { index += 1 }
        if current == ".", isDigit(index + 1) {
            index += 1
            while isDigit(index) { index += 1 }
        }
        if current == "e" || current == "E" {
            let hasSign = index + 1 < characters.count && (characters[index + 1] == "-" || characters[index + 1] == "+")
            if isDigit(index + (hasSign ? 2 : 1)) {
                index += hasSign ? 2 : 1
                while isDigit(index) { index += 1 }
            }
        }
        if let character = current, Self.continuesIdentifier(character) {
            throw failure(.syntax, "'\(character)' does not belong in a number; only decimal numbers are supported", at: index)
        }
        return String(characters[start..<index])
    }

    private mutating func quoted(until quote: Character) throws(PredicateError) -> String {
        let start = index
        var result = ""
        index += 1
        while let character = current {
            index += 1
            switch character {
            case quote: return result
            case "\\": result.unicodeScalars.append(try escape())
            default: result.append(character)
            }
        }
        throw failure(.syntax, "\(quote) is not closed", at: start)
    }

    /// The scalar that stands for what follows a backslash.
    private mutating func escape() throws(PredicateError) -> Unicode.Scalar {
        let start = index - 1
        guard let character = current else { throw failure(.syntax, "the text ends after '\\'", at: start) }
        index += 1
        switch character {
        case "\"", "'", "\\", "`": return character.unicodeScalars.first ?? "\\"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u":
            let digits = String(characters[index..<min(index + 4, characters.count)])
            guard digits.count == 4, digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16),
                let scalar = Unicode.Scalar(value)
            else { throw failure(.syntax, "expected four hexadecimal digits of a character after '\\u'", at: start) }
            index += 4
            return scalar
        default:
            throw failure(.syntax, "unknown escape '\\\(character)'; write '\\\\' for a backslash", at: start)
        }
    }

    private static let spellings = [
        "==": "==", "=": "==", "!=": "!=", "<>": "!=", "<=": "<=", "=<": "<=", ">=": ">=", "=>": ">=", "<": "<", ">": ">",
        "&&": "&&", "||": "||", "!": "!", "(": "(", ")": ")", "{": "{", "}": "}", ",": ",", ".": ".",
        "+": "+", "-": "-", "*": "*", "/": "/",
    ]

    private mutating func symbol() throws(PredicateError) -> PredicateToken.Kind {
        if allowsColon, current == ":" {
            index += 1
            return .symbol(":")
        }
        for length in [2, 1] where index + length <= characters.count {
            if let symbol = Self.spellings[String(characters[index..<index + length])] {
                index += length
                return .symbol(symbol)
            }
        }
        throw failure(.syntax, "unexpected character '\(characters[index])'", at: index)
    }
}
