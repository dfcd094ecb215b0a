/// `unsafe` has an address: it appears in a named list of files only.
enum UnsafeRule {
    static func check(_ file: SourceFile, allowed: Set<String> = Allowed.unsafe) -> [Violation] {
        guard file.isSource, !allowed.contains(file.path) else { return [] }
        let lines = file.tokens.filter { $0.text == "unsafe" }.map(\.line)
        guard let first = lines.first else { return [] }
        return [
            file.violation(
                first, "unsafe code (\(lines.count) times); use Span, or move it to a file about bytes listed in Allowed.unsafe"
            )
        ]
    }
}
