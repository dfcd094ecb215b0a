import Storage
import Synchronization

/// How long the groups of a store took to become durable: told together, since one record each would be more than the commits themselves.
final class FlushFigures: Sendable {
    private struct State {
        var count: UInt64 = 0
        var nanoseconds: UInt64 = 0
        var longest: UInt64 = 0
    }

    /// One that takes longer is told at once.
    private static let slow: UInt64 = 250_000_000

    private let records: RecordLog
    private let clock: any WallClock
    private let operations: OperationClock
    private let state = Mutex(State())

    init(_ records: RecordLog, _ clock: any WallClock, _ operations: OperationClock) {
        self.operations = operations
        self.records = records
        self.clock = clock
    }

    func measure<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let start = clock.monotonic()
        let result = try body()
        let time = clock.monotonic() &- start
        operations.note(.commit, nanoseconds: time)
        state.withLock { state in
            state.count += 1
            state.nanoseconds += time
            state.longest = max(state.longest, time)
        }
        if time >= Self.slow { records.note(.slowFlush, .nanoseconds(.milliseconds, time)) }
        return result
    }

    /// Since the store was opened; empty when nothing was written.
    var fields: [RecordField] {
        state.withLock { state in
            guard state.count > 0 else { return [] }
            return [
                .count(.flushes, state.count), .nanoseconds(.flushMeanMilliseconds, state.nanoseconds / state.count),
                .nanoseconds(.flushLongestMilliseconds, state.longest),
            ]
        }
    }
}
