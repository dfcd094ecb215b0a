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
    private var open: PartCollector?
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
        if body.number == 0 {
            abandonOpen()
            open = try log.beginReceiving(body)
            pending = 0
        } else {
            guard open?.expects(body) ?? false else {
                throw LogError(
                    .invalidTransaction, "part \(body.number) of a transaction of \(body.origin) came out of its order")
            }
            try open?.add(body.part)
        }
        report.imported.bytes += UInt64(count)
        guard body.isLast, let collector = open else { return }
        open = nil
        report.count(try log.finishReceiving(collector, chain: body.chain))
        // Up to the staging threshold the parts wait in memory.
        try note(Self.limit)
    }

    private mutating func note(_ size: Int) throws(LogError) {
        pending += size
        if pending >= Self.limit { try flush() }
    }

    /// Makes what came durable and gives the lock back.
    mutating func flush() throws(LogError) {
        abandonOpen()
        pending = 0
        try log.flush()
    }

    /// Ends after a failure: what came before it is kept if it can be.
    mutating func abandon() {
        abandonOpen()
        _ = try? log.flush()
    }

    private mutating func abandonOpen() {
        guard let collector = open else { return }
        open = nil
        log.abandonReceiving(collector)
    }
}
