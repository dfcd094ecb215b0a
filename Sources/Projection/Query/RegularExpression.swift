/// A pattern that fits whole strings.
///
/// Not `Sendable`, as `Regex` is not: compile one per fetch.
struct RegularExpression {
    /// How deep character classes may nest, and how many set operators (`&&`, `--`, `~~`) a pattern may have.
    ///
    /// `Regex` limits the depth of groups, but calls itself for each of these, so that a long pattern would exhaust the stack.
    static let maximumDepth = 100

    private let regex: Regex<AnyRegexOutput>

    init(_ pattern: String, ignoresCase: Bool) throws(PredicateError) {
        if let reason = Self.excess(in: pattern) {
            throw PredicateError(.invalidPattern, "not a regular expression: \(reason)")
        }
        do {
            regex = try Regex(pattern).ignoresCase(ignoresCase)
        } catch {
            throw PredicateError(.invalidPattern, "not a regular expression: \(error)")
        }
    }

    /// Why the pattern cannot be used; nil if it can.
    static func mistake(in pattern: String) -> String? {
        if let reason = excess(in: pattern) { return reason }
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

    /// What a pattern has too much of; counts generously, so that brackets in quotes count as well.
    private static func excess(in pattern: String) -> String? {
        var depth = 0
        var operators = 0
        var isEscaped = false
        var previous: Unicode.Scalar?
        for scalar in pattern.unicodeScalars {
            defer { previous = scalar }
            if isEscaped {
                isEscaped = false
                continue
            }
            switch scalar {
            case "\\": isEscaped = true
            case "[": depth += 1
            case "]": depth = max(0, depth - 1)
            case "&", "-", "~": if depth > 0, scalar == previous { operators += 1 }
            default: break
            }
            if depth > maximumDepth { return "character classes nested deeper than \(maximumDepth) levels" }
            if operators > maximumDepth { return "more than \(maximumDepth) set operators" }
        }
        return nil
    }
}
