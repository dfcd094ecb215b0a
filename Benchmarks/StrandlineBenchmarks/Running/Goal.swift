/// What the figure of ours is to be.
package struct Goal: Codable, Sendable {
    package enum Measure: Codable, Sendable {
        /// So many times as good as the reference's.
        case ratio(to: String, Double)
        case atLeast(Double)
        case atMost(Double)
    }

    /// Which of ours it is about.
    let contestant: String
    let figure: Line.Figure
    let measure: Measure

    package init(contestant: String, figure: Line.Figure, measure: Measure) {
        self.contestant = contestant
        self.figure = figure
        self.measure = measure
    }
}
