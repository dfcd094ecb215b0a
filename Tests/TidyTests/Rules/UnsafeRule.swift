/// `unsafe` has an address: it appears in a named list of files only.
enum UnsafeRule {
    static func check(_ file: SourceFile, allowed: Set<String> = Allowed.unsafe) -> [Violation] {
        guard file.isSource, !allowed.contains(file.path) else { return [] }
        return file.tokens.filter { $0.text == "unsafe" }.map {
            file.violation($0.line, "no unsafe code here; use Span, or move it to a file about bytes listed in Allowed.unsafe")
        }
    }
}
