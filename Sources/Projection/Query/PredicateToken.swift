/// A word, literal or sign of a predicate's text.
struct PredicateToken: Equatable {
    enum Kind: Equatable {
        /// An identifier that may be a reserved word.
        case word(String)
        /// A name that was escaped and so is never a reserved word.
        case name(String)
        /// The contents of a quoted string.
        case string(String)
        /// Digits, perhaps with fraction and exponent, without a sign.
        case number(String)
        /// `@count`, without the `@`.
        case collectionOperator(String)
        /// What stands between brackets.
        case modifiers(String)
        /// An operator or punctuation; alternative spellings are already one: `=` is `==`, `&&` is `&&`.
        case symbol(String)
        case end
    }

    let kind: Kind
    /// In Unicode scalars from the start of the text.
    let position: Int
    /// As it stands in the text, for messages.
    let text: String

    /// The reserved word it is.
    var keyword: Keyword? {
        if case .word(let word) = kind { Keyword(word) } else { nil }
    }

    /// How a message names it.
    var shown: String { kind == .end ? "the end" : "'\(text)'" }
}
