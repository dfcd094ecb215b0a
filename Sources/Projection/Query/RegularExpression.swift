/// A pattern that fits whole strings.
///
/// Takes time in proportion to the text, whatever the pattern is. `Regex` goes back and tries again, which a pattern can make last
/// for ever; it decides what a character fits, and runs only patterns of which it cannot make much.
///
/// Not `Sendable`, as `Regex` is not: compile one per fetch.
struct RegularExpression {
    /// How deep groups and character classes may nest, and how many set operators (`&&`, `--`, `~~`) a pattern may have.
    ///
    /// `Regex` calls itself for each of these, so that a long pattern would exhaust the stack.
    static let maximumDepth = 100
    /// How many alternatives a pattern may have.
    static let maximumAlternatives = 4_000

    private enum Form {
        case program(PatternProgram)
        /// With back-references, look-around and the like.
        case regex(Regex<AnyRegexOutput>)
    }

    private let form: Form

    init(_ pattern: String, ignoresCase: Bool) throws(PredicateError) {
        do throws(Mistake) { form = try Self.compile(pattern, ignoresCase: ignoresCase) } catch {
            throw PredicateError(.invalidPattern, "not a regular expression: \(error.reason)")
        }
    }

    /// Why the pattern cannot be used; nil if it can.
    static func mistake(in pattern: String) -> String? {
        do throws(Mistake) {
            _ = try compile(pattern, ignoresCase: false)
            return nil
        } catch {
            return error.reason
        }
    }

    /// Whether the whole string fits.
    ///
    /// A string on which the expression fails to run does not fit.
    func matches(_ text: String) -> Bool {
        switch form {
        case .program(let program): program.matches(text)
        case .regex(let regex): (try? regex.wholeMatch(in: text)) != nil
        }
    }

    private struct Mistake: Error { let reason: String }

    private static func compile(_ pattern: String, ignoresCase: Bool) throws(Mistake) -> Form {
        if let reason = excess(in: pattern) { throw Mistake(reason: reason) }
        let regex: Regex<AnyRegexOutput>
        do { regex = try Regex(pattern).ignoresCase(ignoresCase) } catch { throw Mistake(reason: "\(error)") }
        do throws(PatternCompiler.Failure) {
            return .program(try PatternCompiler.compile(pattern, ignoresCase: ignoresCase))
        } catch {
            switch error {
            case .tooLarge:
                throw Mistake(
                    reason: "'\(shown(pattern))' has more than \(PatternProgram.maximumSteps) steps, with counts written out")
            case .isOther where pattern.unicodeScalars.count { "*+{".unicodeScalars.contains($0) } > mostRepetitions:
                throw Mistake(
                    reason:
                        "'\(shown(pattern))' has look-around, a back-reference, an option or a possessive count, and more than \(mostRepetitions) repetition (*, +, {}): it could run for ever"
                )
            case .isOther: return .regex(regex)
            }
        }
    }

    /// One cannot make `Regex` try more than each end for each beginning.
    private static let mostRepetitions = 1

    private static func shown(_ pattern: String) -> String { pattern.count <= 60 ? pattern : pattern.prefix(60) + "…" }

    /// What a pattern has too much of; counts generously, so that brackets in quotes count as well.
    private static func excess(in pattern: String) -> String? {
        var depth = 0
        var groups = 0
        var operators = 0
        var alternatives = 0
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
            case "(": groups += 1
            case ")": groups = max(0, groups - 1)
            case "|": alternatives += 1
            case "&", "-", "~": if depth > 0, scalar == previous { operators += 1 }
            default: break
            }
            if depth > maximumDepth { return "character classes nested deeper than \(maximumDepth) levels" }
            if groups > maximumDepth { return "groups nested deeper than \(maximumDepth) levels" }
            if operators > maximumDepth { return "more than \(maximumDepth) set operators" }
            if alternatives > maximumAlternatives { return "more than \(maximumAlternatives) alternatives" }
        }
        return nil
    }
}
