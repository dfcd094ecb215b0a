/// Why SQLite cannot be asked, so that the naive evaluator alone is.
enum Exclusion: String, Error, CaseIterable {
    case options = "[c], [d] and [cd]"
    case matches = "MATCHES"
    case quantifier = "ANY, ALL and NONE"
    case count = "@count"
    /// SQLite has no NaN.
    case nan = "NaN"
    /// SQLite looks for scalars, we for characters.
    case clusters = "characters of several scalars"
    /// SQLite's pattern is another language, so only a constant can be translated.
    case pattern = "LIKE a property"
    /// SQLite gives null for every division by zero, and null where we have NaN.
    case division = "doubles that may be divided by zero, or be NaN"
    /// SQLite sums in doubles, with an error for integers beyond 64 bits.
    case sum = "sums that are not exact in doubles"
}
