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
            goal: Goal(contestant: "ours", figure: .perSecond, measure: measure), remark: "",
            rows: [
                Results.Row(label: "ours", isOurs: true, isReference: false, count: 10, runs: [run(100), run(10), run(60)]),
                Results.Row(label: "peer", isOurs: false, isReference: true, count: 10, runs: [run(50), run(1), run(20)]),
            ])
    }

    @Test("a ratio is the median of the rounds' ratios, so that one slow round counts once")
    func ratio() {
        #expect(Verdict(section(.ratio(to: "peer", 3)))?.isReached == true)
        #expect(Verdict(section(.ratio(to: "peer", 3.01)))?.isReached == false)
        #expect(Verdict(section(.ratio(to: "peer", 3)))?.text == "ours: 3.00x of peer; goal at least 3.00x")
        #expect(Verdict(section(.ratio(to: "nobody", 3))) == nil)
    }

    @Test("limits are held against the median")
    func limits() {
        #expect(Verdict(section(.atLeast(60)))?.isReached == true)
        #expect(Verdict(section(.atLeast(61)))?.isReached == false)
        #expect(Verdict(section(.atMost(59)))?.isReached == false)
        #expect(Verdict(section(.atMost(60)))?.isReached == true)
    }

    @Test("the table names the ratio of ours beside each other contestant, and flushes per commit")
    func table() {
        let rows = ReportTable(section(.atLeast(1))).rows
        #expect(rows[0] == ["ours", "60.0", "35.0 … 80.0", "", "2.00", "0.00", "0.00"])
        #expect(rows[1] == ["peer", "20.0", "10.5 … 35.0", "3.00x", "2.00", "0.00", "0.00"])
    }
}
