import Testing

/// Stores that received one history in different orders answer alike: as the reference fold does, asked by a naive evaluator.
@Suite struct HistoryAnswersTests {
    @Test func inEveryOrderTheAnswersAreTheReferenceFolds() async throws {
        let tally = try await HistoryTrial.run(histories: 60, asking: 3)
        print(tally)
        for difference in tally.differences.prefix(20) { Issue.record("\(difference)") }
        #expect(tally.histories >= 60 && tally.stores == 6 * tally.histories)
        // Answers of every kind of store, about worlds in which the hard rules of a merge were met.
        #expect(min(tally.overRuns, tally.answers - tally.overRuns) > tally.answers / 6)
        #expect(tally.forked > 5 && tally.merged > 5 && tally.hidden > 2)
    }
}
