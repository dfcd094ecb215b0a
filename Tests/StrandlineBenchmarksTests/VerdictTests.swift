import StrandlineBenchmarks
import Testing

@Suite("Verdicts")
struct VerdictTests {
    private func run(_ rate: Double) -> Measurement {
        Measurement(
            peer: "p", version: "1", work: "w", settings: "s", seed: 1, operations: 10, seconds: 1, perSecond: rate,
            commits: 10, flushes: 20, resultHash: "0")
    }

    private func section(_ measure: Goal.Measure) -> Results.Section {
        Results.Section(
            id: "line", title: "A line", unit: "posts", figures: [.perSecond],
            goals: [Goal(contestant: "ours", figure: .perSecond, measure: measure)], remark: "",
            rows: [
                Results.Row(label: "ours", isOurs: true, isReference: false, count: 10, runs: [run(100), run(10), run(60)]),
                Results.Row(label: "peer", isOurs: false, isReference: true, count: 10, runs: [run(50), run(1), run(20)]),
            ])
    }

    @Test("a ratio is the median of the rounds' ratios, so that one slow round counts once")
    func ratio() {
        #expect(Verdict.all(of: section(.ratio(to: "peer", 3))).first?.isReached == true)
        #expect(Verdict.all(of: section(.ratio(to: "peer", 3.01))).first?.isReached == false)
        #expect(Verdict.all(of: section(.ratio(to: "peer", 3))).first?.text == "ours: 3.00x of peer; goal at least 3.00x")
        #expect(Verdict.all(of: section(.ratio(to: "nobody", 3))).isEmpty)
    }

    @Test("limits are held against the median")
    func limits() {
        #expect(Verdict.all(of: section(.atLeast(60))).first?.isReached == true)
        #expect(Verdict.all(of: section(.atLeast(61))).first?.isReached == false)
        #expect(Verdict.all(of: section(.atMost(59))).first?.isReached == false)
        #expect(Verdict.all(of: section(.atMost(60))).first?.isReached == true)
    }

    @Test("less memory is better: half of the reference's is twice as good")
    func less() {
        func row(_ label: String, _ kibibytes: UInt64) -> Results.Row {
            var result = run(1)
            result.peakAnonKiB = kibibytes
            return Results.Row(label: label, isOurs: label == "ours", isReference: false, count: 10, runs: [result])
        }
        func goal(_ measure: Goal.Measure) -> Goal { Goal(contestant: "ours", figure: .peakAnonMiB, measure: measure) }
        let section = Results.Section(
            id: "line", title: "A line", unit: "posts", figures: [.peakAnonMiB],
            goals: [goal(.ratio(to: "peer", 2)), goal(.atMost(1)), goal(.ratio(to: "nobody", 1))], remark: "",
            rows: [row("ours", 2048), row("peer", 4096)])
        let verdicts = Verdict.all(of: section)
        #expect(verdicts.map(\.isReached) == [true, false])
        #expect(verdicts.map(\.text).last == "ours: 2.00 MiB; goal at most 1.00")
        #expect(ReportTable(section).rows[1][3] == "2.00x")
    }

    @Test("labels tell sizes where they differ: of those who did less, and of all when ours have several")
    func sizes() {
        func labels(_ rows: [(isOurs: Bool, count: UInt64)]) -> [String] {
            let section = Results.Section(
                id: "line", title: "A line", unit: "posts", figures: [.perSecond], goals: [], remark: "",
                rows: rows.map {
                    Results.Row(label: "x", isOurs: $0.isOurs, isReference: false, count: $0.count, runs: [run(1)])
                })
            return ReportTable(section).rows.map { $0[0] }
        }
        #expect(labels([(true, 10), (false, 10), (false, 5)]) == ["x", "x", "x (5.00)"])
        #expect(labels([(true, 10_000), (true, 100_000)]) == ["x (10.0 k)", "x (100 k)"])
    }

    @Test("the table names the ratio of ours beside each other contestant, and flushes per commit")
    func table() {
        let rows = ReportTable(section(.atLeast(1))).rows
        #expect(rows[0] == ["ours", "60.0", "35.0 … 80.0", "", "2.00", "0.00", "0.00"])
        #expect(rows[1] == ["peer", "20.0", "10.5 … 35.0", "3.00x", "2.00", "0.00", "0.00"])
    }
}
