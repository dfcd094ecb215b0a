import SampleModel
import Simulation
import Storage
import Strandline
import Testing

@Suite struct OperationClockTests {
    /// What was done is counted, by kind, with its time.
    @Test func whatIsDoneIsCounted() async throws {
        let clock = SimulatedClock()
        let store = try await Store.open(
            .environment("/store", .simulated(seed: 1, clock: clock)), Post.self, SampleModel.Attachment.self, ImageData.self)
        let before = try figures(store)
        for number in 0..<5 {
            try await store.write { tx in
                _ = try tx.insert(Post(title: "\(number)"))
                clock.advance(milliseconds: UInt64(number + 1))
            }
        }
        await #expect(throws: CancellationError.self) { try await store.write { _ in throw CancellationError() } }
        for _ in 0..<3 { #expect(try store.count(Post.all) == 5) }
        _ = try store.get(try store.ids(of: Post.all)[0])
        let after = try figures(store)
        let writes = try #require(after[.write])
        #expect(writes.count - (before[.write]?.count ?? 0) == 6)
        #expect(writes.longestNanoseconds == 5_000_000 && writes.totalNanoseconds == 15_000_000)
        // At most twice as long as it was: two and a half milliseconds in the middle, five at the end.
        #expect((1_000_000...6_000_000).contains(writes.quantile(0.5)) && writes.quantile(1) == 5_000_000)
        #expect((after[.read]?.count ?? 0) - (before[.read]?.count ?? 0) == 4 && (after[.commit]?.count ?? 0) >= 5)
        try await store.compact()
        let statistics = try store.statistics()
        #expect(statistics.runs.reduce(0) { $0 + $1.rows } == 5 && statistics.garbage == 0 && statistics.memoryBytes == 0)
        #expect(statistics.operations.contains { $0.operation == .materialise && $0.figures.count > 0 })
        #expect(statistics.cacheBudget > 0 && statistics.runs.allSatisfy { $0.bytes > 0 })
        try await store.close()
    }

    private func figures(_ store: Store) throws -> [Operation: OperationFigures] {
        Dictionary(uniqueKeysWithValues: try store.statistics().operations.map { ($0.operation, $0.figures) })
    }
}
