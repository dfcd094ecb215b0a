/// Why a predicate, a sort order or an aggregate was refused.
///
/// Match on ``code``; show ``description``, whose further lines show the text with a `^` under the place:
///
/// ```
/// expected a value after '>'
/// views > AND title == "a"
///         ^
/// ```
public struct PredicateError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        /// The text does not follow the grammar.
        case syntax
        /// NSPredicate has it, this engine does not.
        case unsupported
        /// Nested deeper than ``PredicateParser/maximumDepth``.
        case tooDeep
        /// A date, UUID, object id or number that cannot be read.
        case invalidLiteral
        /// A regular expression that cannot be compiled.
        case invalidPattern
        /// The entity has no property of that name.
        case unknownProperty
        /// Sides that cannot be compared with each other, or by that operator.
        case typeMismatch
        /// A to-many path without ANY, ALL, NONE or @count, or one of these without a to-many path.
        case quantifier
    }

    public var code: Code
    public var message: String
    /// Where in ``text`` it is, counted in characters from 0; nil when the mistake is not in a text.
    public var position: Int?
    public var text: String?
    /// The path concerned, from which the text's reader finds the position.
    var path: PropertyPath?

    init(_ code: Code, _ message: String, path: PropertyPath? = nil) {
        self.code = code
        self.message = message
        self.path = path
    }

    /// A mistake at a scalar of a text.
    init(_ code: Code, _ message: String, scalar offset: Int, in text: String) {
        self.init(code, message)
        locate(scalar: offset, in: text)
    }

    /// Says where in a text the mistake is.
    ///
    /// Texts are read by Unicode scalars, so that no accent can hide a quotation mark; people count characters.
    mutating func locate(scalar offset: Int, in text: String) {
        self.text = text
        position = String(String.UnicodeScalarView(text.unicodeScalars.prefix(offset))).count
    }

    /// Retrying the same predicate never helps.
    public var isRetryable: Bool { false }

    public var description: String {
        guard let text, let position else { return message }
        // Line breaks and tabs would part the text from the mark under it.
        let characters = text.map { $0.isNewline || $0 == "\t" ? " " : $0 }
        let start = characters.count <= Self.shownCharacters ? 0 : max(0, position - Self.shownCharacters / 2)
        let end = min(characters.count, start + Self.shownCharacters)
        let head = start > 0 ? "…" : ""
        let shown = head + String(characters[start..<end]) + (end < characters.count ? "…" : "")
        return message + "\n" + shown + "\n" + String(repeating: " ", count: position - start + head.count) + "^"
    }

    /// Of a long text the surroundings of the place are shown.
    private static let shownCharacters = 120
}
