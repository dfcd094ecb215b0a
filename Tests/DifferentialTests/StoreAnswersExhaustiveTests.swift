import Testing

/// What ``StoreAnswersTests`` asks, of more and larger worlds.
@Suite struct StoreAnswersExhaustiveTests {
    @Test func answersOfLargeWorldsAreThoseOfSQLite() async throws {
        var trials = (100..<250).map { seed in
            WorldTrial(
                seed: UInt64(seed), objects: [3, 80, 250][seed % 3], batch: 60, questions: 80,
                memory: seed.isMultiple(of: 3) ? nil : 2000)
        }
        trials.append(WorldTrial(seed: 1000, objects: 20_000, batch: 5000, questions: 18, memory: 2_000_000))
        let tally = try await WorldTrial.run(trials)
        print(tally)
        for difference in tally.differences.prefix(20) { Issue.record("\(difference)") }
        #expect(tally.cases >= 10_000)
    }
}
