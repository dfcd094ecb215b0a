import StrandlineBenchmarks
import Testing

@Suite("What contestants came to")
struct ResultCheckTests {
    private func run(_ hash: String, touch: String? = nil, flushes: UInt64 = 10) -> Measurement {
        var result = Measurement(
            peer: "p", version: "1", work: "w", settings: "s", seed: 1, operations: 10, seconds: 1, perSecond: 10,
            commits: 10, flushes: flushes, resultHash: hash)
        result.touch = touch
        return result
    }

    private func section(
        _ rows: [(count: UInt64, runs: [Measurement])], variants: [String?] = [nil, nil]
    ) -> Results.Section {
        Results.Section(
            id: "line", title: "A line", unit: "posts", figures: [.perSecond], goals: [], remark: "",
            rows: rows.enumerated().map { number, row in
                Results.Row(
                    label: "\(number)", isOurs: number == 0, isReference: false, count: row.count, variant: variants[number],
                    runs: row.runs)
            })
    }

    private func complaint(_ section: Results.Section, isGrouped: Bool = false) -> String? {
        do {
            try ResultCheck(isGrouped: isGrouped).check(section)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("equal data, equal work and a flush for each commit pass")
    func equal() {
        #expect(complaint(section([(5, [run("a", touch: "t"), run("a", touch: "t")]), (5, [run("a")])])) == nil)
    }

    @Test("other data fails, in another contestant as in another round")
    func hashes() {
        let expected = "line: 1 holds b, 0 a: not the same data"
        #expect(complaint(section([(5, [run("a")]), (5, [run("b")])])) == expected)
        #expect(complaint(section([(5, [run("a"), run("b")])])) == "line: 0 holds b, 0 a: not the same data")
        #expect(complaint(section([(5, [run("a")]), (6, [run("b")])])) == nil)
        #expect(complaint(section([(5, [run("a")]), (5, [run("b")])], variants: [nil, "--sequential"])) == nil)
    }

    @Test("other answers fail")
    func touches() {
        let other = section([(5, [run("a", touch: "t")]), (5, [run("a", touch: "u")])])
        #expect(complaint(other) == "line: 1 came to u, 0 to t: not the same work")
    }

    @Test("fewer flushes than commits fail, unless commits may share one")
    func flushes() {
        let few = section([(5, [run("a", flushes: 9)])])
        #expect(complaint(few) == "line: 0 flushed 0.9 times per commit: not durable")
        #expect(complaint(few, isGrouped: true) == nil)
    }
}
