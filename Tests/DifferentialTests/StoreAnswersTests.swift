import Testing

/// Answers of stores are those of SQLite on the same data; what SQLite cannot express, those of a naive evaluator.
@Suite struct StoreAnswersTests {
    @Test func answersAreThoseOfSQLite() async throws {
        let sizes = [0, 1, 2, 7, 20, 40, 60, 90, 150]
        let tally = try await WorldTrial.run(
            (0..<64).map { seed in
                WorldTrial(
                    seed: UInt64(seed), objects: sizes[seed % sizes.count], batch: 40, questions: 80,
                    memory: seed.isMultiple(of: 3) ? nil : 2000)
            })
        print(tally)
        for difference in tally.differences.prefix(20) { Issue.record("\(difference)") }
        #expect(tally.cases >= 5000)
        #expect(tally.asked > tally.cases / 2)
        // From the columns of runs as well as from what is in memory alone.
        #expect(min(tally.overRuns, tally.cases - tally.overRuns) > tally.cases / 4)
        // Each kind of what SQLite cannot express came up.
        for kind in Exclusion.allCases { #expect(tally.exclusions[kind] ?? 0 > 0, "\(kind)") }
    }
}
