import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What ``HistoryAnswersTests`` asks, about more histories: thousands, or as many as STRANDLINE_SEEDS says.
@Suite struct HistoryAnswersExhaustiveTests {
    @Test func inEveryOrderTheAnswersAreTheReferenceFolds() async throws {
        let tally = try await HistoryTrial.run(histories: Self.histories, asking: 3)
        print(tally)
        for difference in tally.differences.prefix(20) { Issue.record("\(difference)") }
        #expect(tally.histories >= Self.histories / 4 * 4)
        #expect(tally.forked > 0 && tally.merged > 0 && tally.hidden > 0)
    }

    private static var histories: Int {
        unsafe getenv("STRANDLINE_SEEDS").flatMap { Int(unsafe String(cString: $0)) } ?? 1_500
    }
}
