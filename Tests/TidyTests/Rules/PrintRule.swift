/// Only programs print; a library returns values, throws errors or logs events.
enum PrintRule {
    static func check(_ file: SourceFile) -> [Violation] {
        guard file.isSource, file.target != "CommandLineTool" else { return [] }
        return file.tokens.indices.compactMap { index in
            guard ["print", "debugPrint", "dump"].contains(file.tokens[index].text), file.matches(["("], at: index + 1) else {
                return nil
            }
            if index > 0, [".", "func"].contains(file.tokens[index - 1].text) { return nil }
            let instead =
                file.target == "Commands" ? "Terminal.data or Terminal.say" : "a return value, an error or a logged event"
            return file.violation(file.tokens[index].line, "use \(instead) instead of \(file.tokens[index].text)")
        }
    }
}
