/// Nothing is left for later in the code: an issue can be found, a comment cannot.
enum UnfinishedRule {
    static let marks: Set<Substring> = ["TODO", "FIXME", "XXX", "HACK"]

    static func check(_ file: SourceFile) -> [Violation] {
        guard file.target != "TidyTests" else { return [] }
        return file.lines.enumerated().compactMap { index, line in
            let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
            guard let mark = words.first(where: marks.contains) else { return nil }
            return file.violation(index + 1, "finish it or open an issue, and remove \(mark)")
        }
    }
}
