/// When a transaction that comes from the future waits: received and passed on, but not applied.
package enum HoldRule {
    /// How far ahead of the wall clock a transaction may be stamped: 60 seconds.
    package static let boundMilliseconds: UInt64 = 60_000

    /// Whether a transaction with this timestamp waits at this time of the wall clock.
    package static func holds(_ timestamp: Timestamp, now milliseconds: UInt64) -> Bool {
        let (limit, overflows) = milliseconds.addingReportingOverflow(boundMilliseconds)
        return !overflows && timestamp.milliseconds > limit
    }
}
