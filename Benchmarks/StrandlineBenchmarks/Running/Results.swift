/// Everything a run of the benchmarks came to, as written to `build/bench/results.json`.
struct Results: Codable, Sendable {
    struct Row: Codable, Sendable {
        let label: String
        let isOurs: Bool
        let isReference: Bool
        let count: UInt64
        /// One of each round, in order.
        var runs: [Measurement]
    }

    struct Section: Codable, Sendable {
        let id: String
        let title: String
        let unit: String
        let figures: [Line.Figure]
        let goal: Goal?
        let remark: String
        var rows: [Row]
        /// Why a contestant is missing.
        var absent: [String] = []

        func row(_ label: String) -> Row? { rows.first { $0.label == label } }
    }

    let machine: Machine
    let scale: Double
    let rounds: Int
    let isTiny: Bool
    var sections: [Section]
}
