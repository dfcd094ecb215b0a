/// Sources do not trap: no `try!`, `as!`, force unwrap or `fatalError`.
///
/// A mistake of the caller's programmer may stop the process by `precondition` with a message; `preconditionFailure` only
/// where listed.
enum TrapRule {
    static func check(_ file: SourceFile, allowed: Set<String> = Allowed.preconditions) -> [Violation] {
        guard file.isSource else { return [] }
        return file.tokens.indices.compactMap { index in
            let token = file.tokens[index]
            switch token.text {
            case "!": return bang(file, index).map { file.violation(token.line, $0) }
            case "fatalError": return file.violation(token.line, "throw an error instead of fatalError")
            case "precondition", "assert":
                guard file.matches(["("], at: index + 1) else { return nil }
                return hasMessage(file, index) ? nil : file.violation(token.line, "give \(token.text) a message")
            case "preconditionFailure", "assertionFailure":
                guard allowed.contains(file.path) else {
                    return file.violation(token.line, "throw an error, or list the file in Allowed.preconditions")
                }
                return hasMessage(file, index) ? nil : file.violation(token.line, "give \(token.text) a message")
            default: return nil
            }
        }
    }

    private static func bang(_ file: SourceFile, _ index: Int) -> String? {
        guard index > 0, file.tokens[index].adjacent else { return nil }
        let before = file.tokens[index - 1].text
        if before == "try" { return "handle or pass on the error instead of try!" }
        if before == "as" { return "use as? and say what to do otherwise, instead of as!" }
        if index + 1 < file.tokens.count, file.tokens[index + 1].text == "=", file.tokens[index + 1].adjacent { return nil }
        guard file.tokens[index - 1].isWord || [")", "]", "}", ">", "\""].contains(before) else { return nil }
        return "use guard let, ?? or a throwing lookup instead of a force unwrap"
    }

    /// Whether a string literal stands between the parentheses that follow.
    private static func hasMessage(_ file: SourceFile, _ index: Int) -> Bool {
        var depth = 0
        for token in file.tokens[(index + 1)...] {
            if token.text == "(" { depth += 1 }
            if token.text == ")" { depth -= 1 }
            if token.text == "\"" { return true }
            if depth == 0 { return false }
        }
        return false
    }
}
