package import EventLog

/// When a transaction that comes from the future waits: received and passed on, but not applied (DESIGN: clock skew).
package enum HoldRule {
    /// How far ahead of the wall clock a transaction may be stamped: 60 seconds.
    package static let boundMilliseconds: UInt64 = 60_000

    /// Whether a transaction with this timestamp is held at this time of the wall clock.
    package static func holds(_ timestamp: Timestamp, now milliseconds: UInt64) -> Bool {
        let (limit, overflows) = milliseconds.addingReportingOverflow(boundMilliseconds)
        return !overflows && timestamp.milliseconds > limit
    }

    /// How far each origin may be applied: up to the first transaction that is held, which holds all that follow from its origin.
    ///
    /// `received`: per origin the transactions beyond `applied`, ascending by sequence.
    /// `applied`: per origin the last sequence applied; never lowered, whatever the clock says now.
    /// `releases`: per origin the last sequence that was released by hand.
    /// `local`: the store's own origin, which is never held.
    package static func applicable(
        received: [ReplicaID: [(sequence: UInt64, timestamp: Timestamp)]], applied: [ReplicaID: UInt64] = [:],
        releases: [ReplicaID: UInt64] = [:], local: ReplicaID? = nil, now milliseconds: UInt64
    ) -> [ReplicaID: UInt64] {
        var result = applied
        for (origin, transactions) in received {
            for transaction in transactions where transaction.sequence > applied[origin] ?? 0 {
                let isFree = origin == local || transaction.sequence <= releases[origin] ?? 0
                guard isFree || !holds(transaction.timestamp, now: milliseconds) else { break }
                result[origin] = transaction.sequence
            }
        }
        return result
    }
}
