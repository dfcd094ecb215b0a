/// Each `@unchecked Sendable` names its lock on the same or a neighbouring line.
///
/// Or what makes a lock needless: it is `~Copyable`, its words are atomic, or it is immutable.
enum UncheckedSendableRule {
    static func check(_ file: SourceFile) -> [Violation] {
        file.tokens.indices.compactMap { index in
            guard file.matches(["@", "unchecked", "Sendable"], at: index) else { return nil }
            let line = file.tokens[index].line
            let around = file.lines[max(0, line - 2)..<min(file.lines.count, line + 1)]
            if around.contains(where: namesGuard) { return nil }
            return file.violation(
                line, "name the lock that guards it in a comment on this line, or use Mutex and plain Sendable")
        }
    }

    /// A word "lock", "mutex" or a name that ends in them; "block" and "clock" are no locks.
    private static func namesGuard(_ line: Substring) -> Bool {
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        return words.contains { word in
            word.hasSuffix("Lock")
                || ["lock", "locks", "locked", "atomic", "immutable", "copyable"].contains(word.lowercased())
                || word.lowercased().hasSuffix("mutex")
        }
    }
}
