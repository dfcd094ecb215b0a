/// Everything a run of the benchmarks came to, as written to `build/bench/results.json`.
package struct Results: Codable, Sendable {
    package struct Row: Codable, Sendable {
        let label: String
        let isOurs: Bool
        let isReference: Bool
        let count: UInt64
        /// One of each round, in order.
        var runs: [Measurement]

        package init(label: String, isOurs: Bool, isReference: Bool, count: UInt64, runs: [Measurement]) {
            self.label = label
            self.isOurs = isOurs
            self.isReference = isReference
            self.count = count
            self.runs = runs
        }
    }

    package struct Section: Codable, Sendable {
        let id: String
        let title: String
        let unit: String
        let figures: [Line.Figure]
        let goals: [Goal]
        let remark: String
        var rows: [Row]
        /// Why a contestant is missing.
        var absent: [String] = []

        package init(
            id: String, title: String, unit: String, figures: [Line.Figure], goals: [Goal], remark: String, rows: [Row]
        ) {
            self.id = id
            self.title = title
            self.unit = unit
            self.figures = figures
            self.goals = goals
            self.remark = remark
            self.rows = rows
        }

        func row(_ label: String) -> Row? { rows.first { $0.label == label } }
    }

    let machine: Machine
    let scale: Double
    let rounds: Int
    let isTiny: Bool
    var sections: [Section]
}
