/// Every target of `Sources` has its tests, and test files mirror sources one to one.
enum TestLayoutRule {
    /// What may stand between the name of the source and "Tests" when a source has several test files.
    static let kinds = ["", "Exhaustive", "Soak", "Fault", "Performance"]

    static func check(
        targets: [String], testFolders: [String], allowed: Set<String> = Allowed.targetsWithoutTests
    ) -> [Violation] {
        targets.filter { !testFolders.contains($0 + "Tests") && !allowed.contains($0) }.map {
            Violation(
                path: "Sources/\($0)", line: 1, message: "has no tests; add Tests/\($0)Tests and its target in Package.swift")
        }
    }

    static func check(mirrors files: [SourceFile], allowed: Set<String> = Allowed.testsWithoutSource) -> [Violation] {
        let sources = Set(files.filter { $0.isSource || $0.top == "Benchmarks" }.map { "\($0.target)/\($0.stem)" })
        return files.compactMap { file in
            guard file.top == "Tests", file.target != "TidyTests", file.stem.hasSuffix("Tests"), !allowed.contains(file.path)
            else {
                return nil
            }
            let target = file.target.dropLast("Tests".count)
            let mirrored = kinds.contains { kind in
                guard file.stem.hasSuffix(kind + "Tests") else { return false }
                return sources.contains("\(target)/\(file.stem.dropLast(kind.count + "Tests".count))")
            }
            if mirrored { return nil }
            return file.violation(1, "mirrors no file of Sources/\(target); name it after the source it tests")
        }
    }
}
