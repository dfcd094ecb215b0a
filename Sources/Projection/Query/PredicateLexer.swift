/// Cuts a predicate's text into tokens.
///
/// It reads scalars, not characters: a combining accent after a quotation mark belongs to the string, not to the mark.
struct PredicateLexer {
    private let scalars: [Unicode.Scalar]
    private let text: String
    private let allowsColon: Bool
    private var index = 0

    private init(_ text: String, allowsColon: Bool) {
        self.text = text
        self.allowsColon = allowsColon
        scalars = Array(text.unicodeScalars)
    }

    /// All tokens, the last being `end`.
    static func tokens(of text: String, allowingColon: Bool = false) throws(PredicateError) -> [PredicateToken] {
        var lexer = PredicateLexer(text, allowsColon: allowingColon)
        var result: [PredicateToken] = []
        repeat { result.append(try lexer.next()) } while result.last?.kind != .end
        return result
    }

    static func startsIdentifier(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isAlphabetic || scalar == "_" }
    static func continuesIdentifier(_ scalar: Unicode.Scalar) -> Bool {
        startsIdentifier(scalar) || scalar.properties.numericType != nil || scalar.properties.isGraphemeExtend
    }

    /// The text between quotation marks of one kind, as the lexer reads it back.
    static func quoted(_ text: String, by quote: Unicode.Scalar) -> String {
        var result = String.UnicodeScalarView([quote])
        for scalar in text.unicodeScalars {
            switch scalar {
            case quote, "\\": result.append(contentsOf: ["\\", scalar])
            case "\n": result.append(contentsOf: "\\n".unicodeScalars)
            case "\r": result.append(contentsOf: "\\r".unicodeScalars)
            case "\t": result.append(contentsOf: "\\t".unicodeScalars)
            default: result.append(scalar)
            }
        }
        result.append(quote)
        return String(result)
    }

    private var current: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private func failure(_ code: PredicateError.Code, _ message: String, at position: Int) -> PredicateError {
        PredicateError(code, message, scalar: position, in: text)
    }

    private func spelling(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }

    private mutating func next() throws(PredicateError) -> PredicateToken {
        while let scalar = current, scalar.properties.isWhitespace { index += 1 }
        let start = index
        let kind = try scan()
        return PredicateToken(kind: kind, position: start, text: spelling(start..<index))
    }

    private mutating func scan() throws(PredicateError) -> PredicateToken.Kind {
        guard let scalar = current else { return .end }
        let start = index
        switch scalar {
        case "\"", "'": return .string(try quoted(until: scalar))
        case "`": return .name(try quoted(until: scalar))
        case "#":
            index += 1
            guard let word = word() else { throw failure(.syntax, "expected a property's name after '#'", at: start) }
            return .name(word)
        case "@":
            index += 1
            guard let word = word() else { throw failure(.syntax, "expected 'count' after '@'", at: start) }
            return .collectionOperator(word)
        case "[":
            guard let end = scalars[start...].firstIndex(of: "]") else {
                throw failure(.syntax, "'[' is not closed; comparison modifiers are written [c], [d] or [cd]", at: start)
            }
            index = end + 1
            return .modifiers(spelling(start + 1..<end))
        case "%":
            throw failure(
                .unsupported, "format arguments such as %@ are not supported; write the value itself, strings in quotes",
                at: start)
        case "$":
            throw failure(.unsupported, "variables are not supported; write the value itself", at: start)
        case "0"..."9": return .number(try number())
        case _ where Self.startsIdentifier(scalar): return .word(word() ?? "")
        default: return try symbol()
        }
    }

    private mutating func word() -> String? {
        let start = index
        guard let first = current, Self.startsIdentifier(first) else { return nil }
        while let scalar = current, Self.continuesIdentifier(scalar) { index += 1 }
        return spelling(start..<index)
    }

    private mutating func number() throws(PredicateError) -> String {
        let start = index
        func isDigit(_ position: Int) -> Bool {
            position < scalars.count && ("0"..."9").contains(scalars[position])
        }
        while isDigit(index) { index += 1 }
        if current == ".", isDigit(index + 1) {
            index += 1
            while isDigit(index) { index += 1 }
        }
        if current == "e" || current == "E" {
            let hasSign = index + 1 < scalars.count && (scalars[index + 1] == "-" || scalars[index + 1] == "+")
            if isDigit(index + (hasSign ? 2 : 1)) {
                index += hasSign ? 2 : 1
                while isDigit(index) { index += 1 }
            }
        }
        if let scalar = current, Self.continuesIdentifier(scalar) {
            throw failure(.syntax, "'\(scalar)' does not belong in a number; only decimal numbers are supported", at: index)
        }
        return spelling(start..<index)
    }

    private mutating func quoted(until quote: Unicode.Scalar) throws(PredicateError) -> String {
        let start = index
        var result = String.UnicodeScalarView()
        index += 1
        while let scalar = current {
            index += 1
            switch scalar {
            case quote: return String(result)
            case "\\": result.append(try escape())
            default: result.append(scalar)
            }
        }
        throw failure(.syntax, "\(quote) is not closed", at: start)
    }

    /// The scalar that stands for what follows a backslash.
    private mutating func escape() throws(PredicateError) -> Unicode.Scalar {
        let start = index - 1
        guard let scalar = current else { throw failure(.syntax, "the text ends after '\\'", at: start) }
        index += 1
        switch scalar {
        case "\"", "'", "\\", "`": return scalar
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u":
            let digits = spelling(index..<min(index + 4, scalars.count))
            guard digits.count == 4, digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16),
                let scalar = Unicode.Scalar(value)
            else { throw failure(.syntax, "expected four hexadecimal digits of a character after '\\u'", at: start) }
            index += 4
            return scalar
        default:
            throw failure(.syntax, "unknown escape '\\\(scalar)'; write '\\\\' for a backslash", at: start)
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
        for length in [2, 1] where index + length <= scalars.count {
            if let symbol = Self.spellings[spelling(index..<index + length)] {
                index += length
                return .symbol(symbol)
            }
        }
        throw failure(.syntax, "unexpected character '\(scalars[index])'", at: index)
    }
}
