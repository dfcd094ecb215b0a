/// What a frame means for the state of the log.
package enum LogEvent: Sendable, Equatable {
    /// Transactions of a branch, up to a position.
    case extend(BranchRoot, to: BranchPosition, timestamp: Timestamp, transactions: UInt32)
    case control(ControlRecord)
}
