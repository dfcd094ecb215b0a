/// How ours stands to a goal.
package struct Verdict: Sendable {
    package let text: String
    package let isReached: Bool

    /// Nil when there is no goal, or what it is measured against is missing.
    package init?(_ section: Results.Section) {
        guard let goal = section.goal, let ours = section.row(goal.contestant),
            let median = Quartiles(ours.runs.compactMap { goal.figure.value(of: $0) })?.median
        else { return nil }
        switch goal.measure {
        case .ratio(let label, let wanted):
            guard let ratio = Self.ratio(of: ours, to: section.row(label), goal.figure) else { return nil }
            isReached = ratio >= wanted
            text = "\(goal.contestant): \(Figures.ratio(ratio)) of \(label); goal at least \(Figures.ratio(wanted))"
        case .atLeast(let wanted):
            isReached = median >= wanted
            text =
                "\(goal.contestant): \(Figures.short(median)) \(goal.figure.unit); goal at least \(Figures.short(wanted))"
        case .atMost(let wanted):
            isReached = median <= wanted
            text = "\(goal.contestant): \(Figures.short(median)) \(goal.figure.unit); goal at most \(Figures.short(wanted))"
        }
    }

    /// The median of the ratios of each round: runs of one round had the same weather.
    static func ratio(of ours: Results.Row, to other: Results.Row?, _ figure: Line.Figure) -> Double? {
        guard let other else { return nil }
        let ratios = zip(ours.runs, other.runs).compactMap { mine, theirs -> Double? in
            guard let a = figure.value(of: mine), let b = figure.value(of: theirs), b > 0 else { return nil }
            return a / b
        }
        return Quartiles(ratios)?.median
    }
}
