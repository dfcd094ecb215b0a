/// Time and chance come through the seams of `Environment`, so that a run can be repeated from one seed.
///
/// What stands behind the seams is in `Storage/System`.
enum DeterminismRule {
    static let words: Set<String> = [
        "SystemRandomNumberGenerator", "arc4random", "arc4random_buf", "arc4random_uniform", "getrandom", "drand48", "rand",
        "ContinuousClock", "SuspendingClock", "DispatchTime", "DispatchWallTime", "CFAbsoluteTimeGetCurrent",
        "clock_gettime", "gettimeofday", "time",
    ]

    static func check(_ file: SourceFile, allowed: Set<String> = Allowed.nondeterminism) -> [Violation] {
        guard file.isSource, !file.path.hasPrefix("Sources/Storage/System/"), !allowed.contains(file.path) else { return [] }
        return file.tokens.indices.compactMap { index in
            let text = file.tokens[index].text
            let emptyCall = file.matches(["(", ")"], at: index + 1)
            let member = index > 0 && [".", "func"].contains(file.tokens[index - 1].text)
            let found =
                switch text {
                case "Date", "UUID": emptyCall && !member
                case "time", "rand": emptyCall && !member || file.matches(["(", "nil", ")"], at: index + 1)
                case "now": member && index > 1 && file.tokens[index - 2].text == "Date"
                case "random", "shuffled", "shuffle", "randomElement": member && systemRandom(file, index)
                default: words.contains(text)
                }
            guard found else { return nil }
            return file.violation(
                file.tokens[index].line, "take it from Environment.clock or Environment.random instead of \(text)")
        }
    }

    /// `Int.random(in: a...b)`, `list.shuffled()` without `using:`.
    private static func systemRandom(_ file: SourceFile, _ index: Int) -> Bool {
        guard file.tokens[index - 1].text == ".", file.matches(["("], at: index + 1) else { return false }
        if file.tokens[index].text == "random", !file.matches(["in"], at: index + 2) { return false }
        var depth = 0
        for token in file.tokens[(index + 1)...] {
            if token.text == "(" { depth += 1 }
            if token.text == ")" { depth -= 1 }
            if token.text == "using" { return false }
            if depth == 0 { break }
        }
        return true
    }
}
