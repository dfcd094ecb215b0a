/// Everything a run of the benchmarks came to, as written to `build/bench/results.json`.
package struct Results: Codable, Sendable {
    package struct Row: Codable, Sendable {
        let label: String
        let isOurs: Bool
        let isReference: Bool
        let count: UInt64
        /// What of its own makes its data others than the line's, such as ascending keys; nil for nothing.
        var variant: String?
        /// One of each round, in order.
        var runs: [Measurement]

        package init(
            label: String, isOurs: Bool, isReference: Bool, count: UInt64, variant: String? = nil, runs: [Measurement]
        ) {
            self.label = label
            self.isOurs = isOurs
            self.isReference = isReference
            self.count = count
            self.variant = variant
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

        /// The label with the size, where a reader would take it for another one.
        func title(of row: Row) -> String {
            let isAboutSizes = Set(rows.filter(\.isOurs).map(\.count)).count > 1
            guard isAboutSizes || row.count != rows[0].count else { return row.label }
            return "\(row.label) (\(Figures.short(Double(row.count))))"
        }

        func row(_ label: String) -> Row? { rows.first { $0.label == label } }
    }

    let machine: Machine
    let scale: Double
    let rounds: Int
    let isTiny: Bool
    var sections: [Section]
}
