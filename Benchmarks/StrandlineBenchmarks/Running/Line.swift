/// A line of the table: one work, and all who do it.
package struct Line: Sendable {
    /// The figure that is compared.
    package enum Figure: String, Codable, Sendable {
        case perSecond, p50Microseconds, ingestMBPerSecond, readMBPerSecond, peakAnonMiB

        func value(of measurement: Measurement) -> Double? {
            switch self {
            case .perSecond: measurement.perSecond
            case .p50Microseconds: measurement.p50Microseconds
            case .ingestMBPerSecond: measurement.ingestMBPerSecond
            case .readMBPerSecond: measurement.readMBPerSecond
            case .peakAnonMiB: Double(measurement.peakAnonKiB) / 1024
            }
        }

        var unit: String {
            switch self {
            case .perSecond: "/s"
            case .p50Microseconds: "µs"
            case .ingestMBPerSecond, .readMBPerSecond: "MB/s"
            case .peakAnonMiB: "MiB"
            }
        }

        var isLessBetter: Bool { self == .p50Microseconds || self == .peakAnonMiB }
    }

    let id: String
    let title: String
    /// What is counted per second.
    let unit: String
    let figures: [Figure]
    /// The size of the whole, and of a tiny run.
    let count: UInt64
    let tiny: UInt64
    /// Given to every contestant.
    var options: [String] = []
    let contestants: [Contestant]
    var goal: Goal?
    /// Contestants store the same, so their hashes must agree where their counts do.
    var isComparable = true
    /// Smaller with the scale; a goal about a size is tried at that size.
    var isScaled = true
    /// Only when asked for.
    var isLong = false
    /// What a reader must know to judge the figures.
    var remark = ""
}

/// What the figure of ours is to be.
package struct Goal: Codable, Sendable {
    package enum Measure: Codable, Sendable {
        /// Times the reference's.
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
