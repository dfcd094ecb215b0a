import EventLog
import Simulation
import Storage
import Testing

/// Three replicas that evict the same blob at the same time.
@Suite struct LeavingBlobExhaustiveTests {
    /// Every order of their steps; the last copy stays in each.
    @Test func threeNeverRemoveAllCopies() throws {
        let left = try EvictingReplica.runAll(
            [
                [.begin, .ask(1), .ask(2), .decide], [.begin, .ask(2), .ask(0), .decide], [.begin, .ask(0), .ask(1), .decide],
            ], first: 0)
        // A third of them: the replicas are alike, in a ring.
        #expect(left.values.reduce(0, +) == 11_550)
        #expect(Set(left.keys) == [1, 2, 3], "\(left)")
    }

    /// In a ring each asks the next one only.
    @Test func aRingKeepsACopy() throws {
        let left = try EvictingReplica.runAll([
            [.begin, .ask(1), .decide, .fetch], [.begin, .ask(2), .decide], [.begin, .ask(0), .decide],
        ])
        #expect(left.values.reduce(0, +) == 4_200)
    }
}
