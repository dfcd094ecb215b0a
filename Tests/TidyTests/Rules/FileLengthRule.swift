/// No file over 500 lines; nine in ten at most 350; the median at most 200.
enum FileLengthRule {
    static let limit = 500
    static let usual = 350
    static let median = 200

    static func check(_ file: SourceFile, allowed: Set<String> = Allowed.longFiles) -> [Violation] {
        guard file.lineCount > limit, !allowed.contains(file.path) else { return [] }
        return [file.violation(limit + 1, "\(file.lineCount) lines; pull a value type with its own file and tests out of it")]
    }

    /// Looks at all files together; lists the longest when too many are long.
    static func check(all files: [(path: String, lines: Int)]) -> [Violation] {
        guard !files.isEmpty else { return [] }
        let sorted = files.sorted { ($0.lines, $0.path) > ($1.lines, $1.path) }
        let tooLong = sorted.filter { $0.lines > usual }
        var violations: [Violation] = []
        if tooLong.count * 10 > files.count {
            violations += tooLong.map {
                Violation(
                    path: $0.path, line: usual + 1, message: "\($0.lines) lines; only one file in ten may exceed \(usual)")
            }
        }
        let middle = sorted[sorted.count / 2]
        if middle.lines > median {
            violations.append(
                Violation(path: middle.path, line: 1, message: "the median file has \(middle.lines) lines; split more"))
        }
        return violations
    }
}
