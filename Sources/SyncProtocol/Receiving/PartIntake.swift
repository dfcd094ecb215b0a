// Invariant: at most one transaction is being collected; a first part gives up what did not come whole.

import EventLog

/// Takes in transactions of several parts, one after the other.
struct PartIntake {
    private var open: PartCollector?

    /// Takes the next part; what became of its transaction when it was the last one.
    ///
    /// - Throws: `invalidTransaction` for a part out of its order, and as ``EventLog/beginReceiving(_:)`` and
    ///   ``EventLog/finishReceiving(_:chain:)``.
    mutating func take(_ body: PartBody, into log: EventLog) throws(LogError) -> ReceivedTransactions? {
        if body.number == 0 {
            discard(in: log)
            open = try log.beginReceiving(body)
        } else {
            guard open?.expects(body) ?? false else {
                throw LogError(
                    .invalidTransaction, "part \(body.number) of a transaction of \(body.origin) came out of its order")
            }
            try open?.add(body.part)
        }
        guard body.isLast, let collector = open else { return nil }
        open = nil
        return try log.finishReceiving(collector, chain: body.chain)
    }

    /// Gives up a transaction that did not come whole.
    mutating func discard(in log: EventLog) {
        guard let collector = open else { return }
        open = nil
        log.abandonReceiving(collector)
    }
}
