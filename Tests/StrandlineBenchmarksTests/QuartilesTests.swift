import StrandlineBenchmarks
import Testing

@Suite("Quartiles")
struct QuartilesTests {
    @Test("lie between the figures, whatever their order")
    func values() {
        #expect(Quartiles([]) == nil)
        #expect(Quartiles([7]).map { [$0.lower, $0.median, $0.upper] } == [7, 7, 7])
        #expect(Quartiles([4, 1, 3, 2]).map { [$0.lower, $0.median, $0.upper] } == [1.75, 2.5, 3.25])
        #expect(Quartiles([50, 10, 40, 20, 30]).map { [$0.lower, $0.median, $0.upper] } == [20, 30, 40])
    }
}
