import Testing

/// The house rules of CONTRIBUTING.md, run over this repository.
@Suite("Tidy")
struct TidyTests {
    private func expectNone(_ violations: [Violation], sourceLocation: SourceLocation = #_sourceLocation) {
        for violation in violations { Issue.record("\(violation)", sourceLocation: sourceLocation) }
    }

    @Test("each file keeps the rules")
    func files() throws {
        let files = try Repository.swiftFiles()
        #expect(files.contains { $0.path == "Sources/Storage/LZ4.swift" }, "the sources were not found")
        for file in files { expectNone(fileRules.flatMap { $0(file) }) }
    }

    private let fileRules: [(SourceFile) -> [Violation]] = [
        ImportRule.check, { UnsafeRule.check($0) }, UncheckedSendableRule.check, { TrapRule.check($0) }, PrintRule.check,
        { FileLengthRule.check($0) }, FunctionLengthRule.check, FileNameRule.check, UnfinishedRule.check,
        { DeterminismRule.check($0) }, { SystemCallRule.check($0) }, TestableRule.check,
    ]

    @Test("most files are short")
    func lengths() throws {
        expectNone(FileLengthRule.check(all: try Repository.swiftFiles().map { ($0.path, $0.lineCount) }))
    }

    @Test("tests stand where their sources are")
    func layout() throws {
        let tests = try Repository.folders(in: "Tests")
        expectNone(TestLayoutRule.check(targets: try Repository.folders(in: "Sources"), testFolders: tests))
        expectNone(TestLayoutRule.check(mirrors: try Repository.swiftFiles(in: ["Sources", "Tests", "Benchmarks"])))
    }

    @Test("no exception outlives its reason")
    func exceptions() throws {
        let files = try Repository.swiftFiles()
        let lists: [(name: String, paths: Set<String>, rule: (SourceFile) -> [Violation])] = [
            ("unsafe", Allowed.unsafe, { UnsafeRule.check($0, allowed: []) }),
            ("systemCalls", Allowed.systemCalls, { SystemCallRule.check($0, allowed: []) }),
            ("nondeterminism", Allowed.nondeterminism, { DeterminismRule.check($0, allowed: []) }),
            ("preconditions", Allowed.preconditions, { TrapRule.check($0, allowed: []) }),
            ("longFiles", Allowed.longFiles, { FileLengthRule.check($0, allowed: []) }),
            ("testsWithoutSource", Allowed.testsWithoutSource, { TestLayoutRule.check(mirrors: files + [$0], allowed: []) }),
        ]
        for list in lists {
            for path in list.paths.sorted() {
                let needed = files.first { $0.path == path }.map { !list.rule($0).isEmpty } ?? false
                #expect(needed, "\(path) needs no exception; remove it from Allowed.\(list.name)")
            }
        }
        let tests = try Repository.folders(in: "Tests")
        for target in Allowed.targetsWithoutTests.sorted() where tests.contains(target + "Tests") {
            Issue.record("\(target) has tests now; remove it from Allowed.targetsWithoutTests")
        }
    }
}
