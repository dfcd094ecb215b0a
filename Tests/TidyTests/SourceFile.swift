/// A Swift file as the rules see it.
struct SourceFile {
    /// From the root of the repository: "Sources/Storage/LZ4.swift".
    let path: String
    let lines: [Substring]
    let tokens: [Token]

    init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        tokens = Lexer.tokens(of: text)
    }

    /// The last part of the path: "LZ4.swift".
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    /// The name without its ending: "LZ4".
    var stem: String { String(name.dropLast(".swift".count)) }
    /// The folder in the root: "Sources".
    var top: String { path.split(separator: "/").first.map(String.init) ?? "" }
    /// "Storage": the folder below the top.
    var target: String {
        let parts = path.split(separator: "/")
        return parts.count > 2 ? String(parts[1]) : ""
    }
    var isSource: Bool { top == "Sources" }
    /// A trailing newline ends the last line and begins no other.
    var lineCount: Int { lines.last == "" ? lines.count - 1 : lines.count }

    func violation(_ line: Int, _ message: String) -> Violation { Violation(path: path, line: line, message: message) }

    /// Whether the tokens from `index` on read as `texts`, written without spaces where `texts` has none to need.
    func matches(_ texts: [String], at index: Int) -> Bool {
        guard index + texts.count <= tokens.count else { return false }
        return texts.indices.allSatisfy { tokens[index + $0].text == texts[$0] }
    }
}
