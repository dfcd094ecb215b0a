/// A pattern that fits whole strings.
///
/// Not `Sendable`, as `Regex` is not: compile one per fetch.
struct RegularExpression {
    private let regex: Regex<AnyRegexOutput>

    init(_ pattern: String, ignoresCase: Bool) throws(PredicateError) {
        do {
            regex = try Regex(pattern).ignoresCase(ignoresCase)
        } catch {
            throw PredicateError(.invalidPattern, "not a regular expression: \(error)")
        }
    }

    /// Why the pattern cannot be used; nil if it can.
    static func mistake(in pattern: String) -> String? {
        do {
            _ = try Regex<AnyRegexOutput>(pattern)
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// Whether the whole string fits.
    ///
    /// A string on which the expression fails to run does not fit.
    func matches(_ text: String) -> Bool {
        (try? regex.wholeMatch(in: text)) != nil
    }
}
