import StrandlineBenchmarks
import Testing

@Suite("Figures")
struct FiguresTests {
    @Test(
        "have three digits",
        arguments: [
            (0.0, "0.00"), (1.234, "1.23"), (99.94, "99.9"), (99.96, "100"), (9999, "9999"), (12_345, "12.3 k"),
            (456_789, "457 k"), (999_400, "999 k"), (999_600, "1.00 M"), (2_345_678, "2.35 M"),
        ])
    func short(value: Double, text: String) { #expect(Figures.short(value) == text) }
}
