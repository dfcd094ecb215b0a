import Testing

/// A rule that cannot fail is no rule: each is shown bad code, where it must speak, and good code, where it must not.
@Suite("Rules")
struct RuleTests {
    private func file(_ text: String, _ path: String = "Sources/EventLog/Log.swift") -> SourceFile {
        SourceFile(path: path, text: text)
    }

    @Test(
        "imports",
        arguments: [
            ("Sources/Storage/A.swift", "import EventLog"), ("Sources/Projection/A.swift", "package import SyncProtocol"),
            ("Sources/SyncProtocol/A.swift", "import Projection"), ("Sources/EventLog/A.swift", "import Foundation"),
            ("Sources/EventLog/A.swift", "import CLZ4"), ("Sources/EventLog/A.swift", "import struct Strandline.Store"),
            ("Sources/Interchange/A.swift", "import Generators"), ("Sources/Storage/A.swift", "import Alamofire"),
            ("Sources/Unheard/A.swift", "import Storage"),
        ])
    func badImports(path: String, text: String) {
        #expect(ImportRule.check(file(text, path)).count == 1)
    }

    @Test("imports of lower floors, in code only")
    func goodImports() {
        let text = "public import Storage\nimport FoundationEssentials\n// import Strandline\nlet a = \"import Strandline\""
        #expect(ImportRule.check(file(text)).isEmpty)
        #expect(ImportRule.check(file("import SampleModel\nimport Foundation", "Sources/Generators/A.swift")).isEmpty)
        #expect(ImportRule.check(file("import Foundation", "Tests/EventLogTests/A.swift")).isEmpty)
    }

    @Test("unsafe")
    func unsafe() {
        let bad = file("let a = unsafe b.load()\nnonisolated(unsafe) var c = 1 // unsafe")
        #expect(UnsafeRule.check(bad, allowed: []).map(\.line) == [1])
        #expect(UnsafeRule.check(file("nonisolated(unsafe) var c = 1"), allowed: []).count == 1)
        #expect(UnsafeRule.check(file("let a = \"unsafe\" // unsafe"), allowed: []).isEmpty)
        #expect(UnsafeRule.check(bad, allowed: [bad.path]).isEmpty)
    }

    @Test("unchecked Sendable")
    func unchecked() {
        #expect(UncheckedSendableRule.check(file("final class A: @unchecked Sendable { // clocked, blocked\n}")).count == 1)
        #expect(
            UncheckedSendableRule.check(file("// all state under `stateLock`\nfinal class A: @unchecked Sendable {}")).isEmpty)
        #expect(UncheckedSendableRule.check(file("struct A: ~Copyable, @unchecked Sendable {}")).isEmpty)
        #expect(UncheckedSendableRule.check(file("// lock\n\nfinal class A: @unchecked Sendable {}")).count == 1)
    }

    @Test(
        "traps",
        arguments: [
            "try! open()", "a as! B", "a!.b", "f()!", "list[0]!", "fatalError()", "preconditionFailure(\"no\")",
            "var a: String!", "precondition(x)", "assertionFailure(\"no\")",
        ])
    func traps(text: String) {
        #expect(TrapRule.check(file(text), allowed: []).count == 1)
    }

    @Test("code that does not trap")
    func noTraps() {
        let text = "if !a, b != c, d! == e {}\nlet f = g!=h || !(i)\n\"x!\" // y!"
        #expect(TrapRule.check(file(text), allowed: []).map(\.line) == [1])
        #expect(TrapRule.check(file("try! a", "Tests/EventLogTests/A.swift")).isEmpty)
        let listed = file(
            "preconditionFailure(\"why\")\npreconditionFailure()\nprecondition(f(a), \"why\")\nprecondition(f(a))")
        #expect(TrapRule.check(listed, allowed: [listed.path]).map(\.line) == [2, 4])
    }

    @Test("print")
    func prints() {
        #expect(PrintRule.check(file("print(a)\nself.print(b)\nfunc print(c: Int)\nlet print = 1")).map(\.line) == [1])
        #expect(PrintRule.check(file("print(a)", "Sources/CommandLineTool/main.swift")).isEmpty)
    }

    @Test("file length")
    func fileLength() {
        let path = "Sources/EventLog/Log.swift"
        #expect(FileLengthRule.check(file(String(repeating: "\n", count: 500)), allowed: []).isEmpty)
        #expect(FileLengthRule.check(file(String(repeating: "\n", count: 501)), allowed: []).count == 1)
        #expect(FileLengthRule.check(file(String(repeating: "\n", count: 501)), allowed: [path]).isEmpty)
        let short = (0..<18).map { (path: "\($0)", lines: 100) }
        #expect(FileLengthRule.check(all: short + [("a", 351), ("b", 400)]).isEmpty)
        #expect(FileLengthRule.check(all: short + [("a", 351), ("b", 400), ("c", 360)]).map(\.path) == ["b", "c", "a"])
        #expect(FileLengthRule.check(all: [("a", 10), ("b", 201), ("c", 300)]).map(\.path) == ["b"])
    }

    @Test("function length")
    func functionLength() {
        func function(_ lines: Int) -> String {
            "func a(b: () -> Void = {}) {\n" + String(repeating: "x {}\n", count: lines - 2) + "}"
        }
        #expect(FunctionLengthRule.check(file(function(70))).isEmpty)
        #expect(FunctionLengthRule.check(file("let a = 1\n" + function(71))).map(\.line) == [2])
        let requirements = "protocol A {\nfunc a() throws -> Int\n}\nstruct B {\n" + String(repeating: "\n", count: 80) + "}"
        #expect(FunctionLengthRule.check(file(requirements)).isEmpty)
    }

    @Test("file names")
    func fileNames() {
        #expect(FileNameRule.check(file("struct Log {}")).isEmpty)
        #expect(FileNameRule.check(file("struct Segment {}\n// struct Log")).count == 1)
        #expect(FileNameRule.check(file("func log() {}")).isEmpty)
        #expect(FileNameRule.check(file("extension Log {}", "Sources/EventLog/Log+Recovery.swift")).isEmpty)
        #expect(FileNameRule.check(file("extension Store.Log {}", "Sources/EventLog/Log+Recovery.swift")).isEmpty)
        #expect(FileNameRule.check(file("extension Date: Log {}", "Sources/EventLog/Log+Foundation.swift")).isEmpty)
        #expect(FileNameRule.check(file("extension Segment { let a: Log }", "Sources/EventLog/Log+Recovery.swift")).count == 1)
        #expect(FileNameRule.check(file("enum LogUtils {}", "Sources/EventLog/LogUtils.swift")).count == 1)
        #expect(FileNameRule.check(file("struct Log {}", "Sources/EventLog/Helpers/Log.swift")).count == 1)
        #expect(FileNameRule.check(file("struct Log {}\nclass LogManager {}")).count == 1)
    }

    @Test("unfinished")
    func unfinished() {
        #expect(UnfinishedRule.check(file("a // TODO: b\n/* FIXME */\nlet aTODOb = \"XXX\"")).map(\.line) == [1, 2, 3])
        #expect(UnfinishedRule.check(file("let aTODOb = mastodon")).isEmpty)
    }

    @Test(
        "determinism",
        arguments: [
            "Date()", "Date.now", "UUID()", "ContinuousClock.now", "Int.random(in: 0...1)", "list.shuffled()", "time(nil)",
            "SystemRandomNumberGenerator()", "arc4random()", "list.randomElement()",
        ])
    func nondeterminism(text: String) {
        #expect(DeterminismRule.check(file("let a = \(text)"), allowed: []).count == 1)
    }

    @Test("deterministic code")
    func deterministic() {
        let text = """
            Date(milliseconds: 1); environment.random.next(); Int.random(in: 0...1, using: &generator)
            list.shuffled(using: &generator); func time() {}; clock.now(); UUID(uuid: bytes); environment.random = a
            """
        #expect(DeterminismRule.check(file(text), allowed: []).isEmpty)
        let bad = file("Date()")
        #expect(DeterminismRule.check(bad, allowed: [bad.path]).isEmpty)
        #expect(DeterminismRule.check(file("Date()", "Sources/Storage/System/SystemClock.swift"), allowed: []).isEmpty)
    }

    @Test("system calls")
    func systemCalls() {
        let text = "import Glibc\nlet a = open(path, 0)\nfile.read(b)\nGlibc.fsync(c)\nfunc write(d: Int) {}"
        #expect(SystemCallRule.check(file(text), allowed: []).map(\.line) == [2, 4])
        #expect(SystemCallRule.check(file("import Storage\nwrite(a)"), allowed: []).isEmpty)
        #expect(
            SystemCallRule.check(file("import Glibc\nfunc read() {}\nread()\nGlibc.read()"), allowed: []).map(\.line) == [4])
        #expect(SystemCallRule.check(file(text, "Sources/Storage/POSIX/POSIXFile.swift"), allowed: []).isEmpty)
    }

    @Test("testable imports")
    func testable() {
        let path = "Tests/EventLogTests/A.swift"
        #expect(TestableRule.check(file("import A\n@testable import B", path)).map(\.line) == [2])
        #expect(TestableRule.check(file("import A // @testable\nlet testable = 1", path)).isEmpty)
    }

    @Test("test layout")
    func layout() {
        let missing = TestLayoutRule.check(targets: ["A", "B", "C"], testFolders: ["ATests"], allowed: ["C"])
        #expect(missing.map(\.path) == ["Sources/B"])
        let sources = [file("", "Sources/A/Log.swift"), file("", "Sources/A/Deep/Fold.swift")]
        let good = ["Tests/ATests/LogTests.swift", "Tests/ATests/FoldExhaustiveTests.swift", "Tests/ATests/Fixture.swift"]
        #expect(TestLayoutRule.check(mirrors: sources + good.map { file("", $0) }, allowed: []).isEmpty)
        let bad = file("", "Tests/ATests/SegmentTests.swift")
        #expect(TestLayoutRule.check(mirrors: sources + [bad], allowed: []).map(\.path) == [bad.path])
        #expect(TestLayoutRule.check(mirrors: sources + [bad], allowed: [bad.path]).isEmpty)
    }

    @Test("a violation prints where and what")
    func description() {
        #expect(Violation(path: "a.swift", line: 3, message: "use b").description == "a.swift:3: use b")
    }
}
