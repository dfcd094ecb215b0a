// Invariant: `figures` is guarded by its mutex, which is held for a few additions only.

import Storage
import Synchronization

/// Measures what a store does, by kind: some fifty nanoseconds for each.
final class OperationClock: Sendable {
    private let clock: any WallClock
    private let figures = Mutex([OperationFigures](repeating: OperationFigures(), count: Operation.allCases.count))

    init(_ clock: any WallClock) { self.clock = clock }

    func measure<Result, Failure: Error>(
        _ operation: Operation, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = clock.monotonic()
        let result = try body()
        note(operation, nanoseconds: clock.monotonic() &- start)
        return result
    }

    func note(_ operation: Operation, nanoseconds: UInt64) {
        figures.withLock { $0[operation.place].add(nanoseconds) }
    }

    /// Those that happened, in the order of ``Operation``.
    var all: [(operation: Operation, figures: OperationFigures)] {
        let figures = figures.withLock { $0 }
        return Operation.allCases.compactMap { figures[$0.place].count > 0 ? ($0, figures[$0.place]) : nil }
    }
}

/// What a store does that takes time.
public enum Operation: String, Sendable, Hashable, CaseIterable {
    /// A transaction, from its closure's beginning until it is with the log.
    case write
    /// A group of transactions made durable: one sync of the disk.
    case commit
    /// A question: a fetch, a count, groups; not an object by its id.
    case read
    /// What was in memory written to runs, and runs merged.
    case materialise

    fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// How often something was done, and how long it took; those that failed left out.
public struct OperationFigures: Sendable, Hashable {
    public private(set) var count: UInt64 = 0
    public private(set) var totalNanoseconds: UInt64 = 0
    public private(set) var longestNanoseconds: UInt64 = 0
    /// By how many bits the time in nanoseconds takes.
    private var buckets = [UInt32](repeating: 0, count: 65)

    init() {}

    mutating func add(_ nanoseconds: UInt64) {
        count += 1
        totalNanoseconds &+= nanoseconds
        longestNanoseconds = max(longestNanoseconds, nanoseconds)
        buckets[64 - nanoseconds.leadingZeroBitCount] &+= 1
    }

    public var meanNanoseconds: UInt64 { count == 0 ? 0 : totalNanoseconds / count }

    /// About the time that a share of them did not exceed: at most twice as long as it is.
    ///
    /// - Parameter share: 0.5 for the median, 0.99 for all but one in a hundred.
    public func quantile(_ share: Double) -> UInt64 {
        let wanted = UInt64((Double(count) * min(1, max(0, share))).rounded(.up))
        var sum: UInt64 = 0
        for (bits, held) in buckets.enumerated() {
            sum += UInt64(held)
            if sum >= max(1, wanted), held > 0 { return min(longestNanoseconds, bits >= 64 ? .max : 1 << UInt64(bits)) }
        }
        return 0
    }
}
