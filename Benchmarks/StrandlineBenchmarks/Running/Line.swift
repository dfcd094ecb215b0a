/// A line of the table: one work, and all who do it.
package struct Line: Sendable {
    /// The figure that is compared.
    package enum Figure: String, Codable, Sendable {
        case perSecond, p50Microseconds, medianMilliseconds, maxMilliseconds, openMilliseconds, readsPerSecond
        case ingestMBPerSecond, readMBPerSecond, peakAnonMiB

        func value(of measurement: Measurement) -> Double? {
            switch self {
            case .perSecond: measurement.perSecond
            case .p50Microseconds: measurement.p50Microseconds
            case .medianMilliseconds: measurement.p50Microseconds.map { $0 / 1000 }
            case .maxMilliseconds: measurement.maxMicroseconds.map { $0 / 1000 }
            case .openMilliseconds: measurement.openMilliseconds
            case .readsPerSecond: measurement.readsPerSecond
            case .ingestMBPerSecond: measurement.ingestMBPerSecond
            case .readMBPerSecond: measurement.readMBPerSecond
            case .peakAnonMiB: Double(measurement.peakAnonKiB) / 1024
            }
        }

        var unit: String {
            switch self {
            case .perSecond, .readsPerSecond: "/s"
            case .p50Microseconds: "µs"
            case .medianMilliseconds, .maxMilliseconds, .openMilliseconds: "ms"
            case .ingestMBPerSecond, .readMBPerSecond: "MB/s"
            case .peakAnonMiB: "MiB"
            }
        }

        var isLessBetter: Bool {
            switch self {
            case .perSecond, .readsPerSecond, .ingestMBPerSecond, .readMBPerSecond: false
            case .p50Microseconds, .medianMilliseconds, .maxMilliseconds, .openMilliseconds, .peakAnonMiB: true
            }
        }
    }

    package let id: String
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
    var goals: [Goal] = []
    /// Posts that are there for each operation, before it begins; nil for works that say how many themselves.
    var rowsPerOperation: UInt64?
    /// Commits that arrive at once may share a flush.
    var isGrouped = false
    /// Smaller with the scale; a goal about a size is tried at that size.
    var isScaled = true
    /// Only when asked for.
    var isLong = false
    /// No more rounds than this, for those that take long to prepare.
    var mostRounds = Int.max
    /// What a reader must know to judge the figures.
    var remark = ""
}
