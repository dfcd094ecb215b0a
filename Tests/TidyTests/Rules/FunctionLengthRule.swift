/// Functions and initialisers stay within 70 lines, braces included.
enum FunctionLengthRule {
    static let limit = 70

    static func check(_ file: SourceFile) -> [Violation] {
        file.tokens.indices.compactMap { index in
            let token = file.tokens[index]
            guard token.text == "func" || token.text == "init" || token.text == "deinit" else { return nil }
            if index > 0, file.tokens[index - 1].text == "." { return nil }
            guard let open = body(of: file, after: index), let close = matching(file, open) else { return nil }
            let length = file.tokens[close].line - token.line + 1
            guard length > limit else { return nil }
            let name = token.text == "func" && index + 1 < file.tokens.count ? file.tokens[index + 1].text : token.text
            return file.violation(token.line, "\(name) has \(length) lines, the limit is \(limit); give its parts names")
        }
    }

    /// The brace that opens the body; nil for a requirement of a protocol.
    private static func body(of file: SourceFile, after index: Int) -> Int? {
        let ends: Set<String> = ["func", "init", "deinit", "var", "let", "case", "subscript", "}", "associatedtype"]
        var depth = 0
        for next in file.tokens.indices[(index + 1)...] {
            switch file.tokens[next].text {
            case "(", "[": depth += 1
            case ")", "]": depth -= 1
            case "{" where depth == 0: return next
            case let text where depth == 0 && ends.contains(text): return nil
            default: break
            }
        }
        return nil
    }

    private static func matching(_ file: SourceFile, _ open: Int) -> Int? {
        var depth = 0
        for index in file.tokens.indices[open...] {
            if file.tokens[index].text == "{" { depth += 1 }
            if file.tokens[index].text == "}" { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }
}
