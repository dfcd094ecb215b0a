/// The middle of some figures, and how far they spread.
package struct Quartiles: Equatable, Sendable {
    package let lower: Double, median: Double, upper: Double

    /// Nil for no figures.
    package init?(_ figures: [Double]) {
        guard !figures.isEmpty else { return nil }
        let sorted = figures.sorted()
        func at(_ share: Double) -> Double {
            let place = share * Double(sorted.count - 1)
            let below = Int(place)
            guard below + 1 < sorted.count else { return sorted[below] }
            return sorted[below] + (sorted[below + 1] - sorted[below]) * (place - Double(below))
        }
        lower = at(0.25)
        median = at(0.5)
        upper = at(0.75)
    }
}
