// Invariants
// * While something is pending in the log this process holds the writers' lock of the store; `flush` and `abandon` give it back.
// * At most `limit` bytes are pending, and one frame.

import EventLog
import Storage

/// Puts transactions from elsewhere into a log, in groups.
struct TransactionReceiver {
    /// Logical bytes after which what came is made durable.
    private static let limit = 4 << 20

    private let log: EventLog
    private var pending = 0
    private var parts = PartIntake()
    private(set) var report = ExchangeReport()

    init(_ log: EventLog) { self.log = log }

    /// Takes a batch; `frame` is how it came.
    ///
    /// - Throws: as ``EventLog/receive(_:as:)``.
    mutating func take(_ batch: Batch, as frame: Frame?) throws(LogError) {
        report.count(try log.receive(batch, as: frame))
        let size = batch.transactions.reduce(0) { $0 + $1.count }
        report.imported.bytes += UInt64(frame?.stored.count ?? size)
        try note(size)
    }

    /// Takes the next part of a transaction of several; the last one ends it.
    mutating func take(_ body: PartBody, storedAs count: Int) throws(LogError) {
        // A first part makes durable what came before it.
        if body.number == 0 { pending = 0 }
        report.imported.bytes += UInt64(count)
        guard let received = try parts.take(body, into: log) else { return }
        report.count(received)
        // Up to the staging threshold the parts wait in memory.
        try note(Self.limit)
    }

    private mutating func note(_ size: Int) throws(LogError) {
        pending += size
        if pending >= Self.limit { try flush() }
    }

    /// Makes what came durable and gives the lock back.
    mutating func flush() throws(LogError) {
        parts.discard(in: log)
        pending = 0
        try log.flush()
    }

    /// Ends after a failure: what came before it is kept if it can be.
    mutating func abandon() {
        parts.discard(in: log)
        _ = try? log.flush()
    }
}
