/// How ours stands to a goal.
package struct Verdict: Sendable {
    package let text: String
    package let isReached: Bool

    /// One for each goal that could be measured.
    package static func all(of section: Results.Section) -> [Verdict] { section.goals.compactMap { Verdict($0, in: section) } }

    /// Nil when what it is measured against is missing.
    private init?(_ goal: Goal, in section: Results.Section) {
        guard let ours = section.row(goal.contestant),
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

    /// How many times as good: the median of the ratios of each round, for runs of one round had the same weather.
    static func ratio(of ours: Results.Row, to other: Results.Row?, _ figure: Line.Figure) -> Double? {
        guard let other else { return nil }
        let ratios = zip(ours.runs, other.runs).compactMap { mine, theirs -> Double? in
            guard let a = figure.value(of: mine), let b = figure.value(of: theirs), a > 0, b > 0 else { return nil }
            return figure.isLessBetter ? b / a : a / b
        }
        return Quartiles(ratios)?.median
    }
}
