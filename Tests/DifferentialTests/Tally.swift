/// How many questions were asked, and of whom.
struct Tally: CustomStringConvertible {
    var cases = 0
    /// Of them, those that SQLite answered.
    var asked = 0
    /// Of all, those that a store answered of which a part or everything was in runs.
    var overRuns = 0
    var exclusions: [Exclusion: Int] = [:]
    var differences: [String] = []

    static func += (a: inout Tally, b: Tally) {
        a.cases += b.cases
        a.asked += b.asked
        a.overRuns += b.overRuns
        a.exclusions.merge(b.exclusions, uniquingKeysWith: +)
        a.differences += b.differences
    }

    var description: String {
        let kinds = Exclusion.allCases.map { "\(exclusions[$0] ?? 0) \($0.rawValue)" }.joined(separator: "; ")
        return
            "answers compared: \(cases) (\(overRuns) over runs), of them \(asked) with SQLite, "
            + "\(cases - asked) with the naive evaluator alone (\(kinds))"
    }
}
