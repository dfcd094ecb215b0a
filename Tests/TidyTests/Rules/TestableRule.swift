/// Tests see what `package` shows, so that they run in release too.
enum TestableRule {
    static func check(_ file: SourceFile) -> [Violation] {
        file.tokens.indices.compactMap { index in
            guard file.matches(["@", "testable"], at: index) else { return nil }
            return file.violation(file.tokens[index].line, "use package access in place of @testable")
        }
    }
}
