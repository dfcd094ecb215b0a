/// Where the applied part of a branch ends while transactions behind it wait for their time.
package struct Hold: Sendable, Hashable {
    /// The last transaction applied, and its timestamp; sequence 0 and zero for none.
    package var after: BranchPosition
    package var timestamp: Timestamp
    /// The timestamp of the first transaction that waits, or one below it; zero when none does.
    package var first: Timestamp

    package init(after: BranchPosition, timestamp: Timestamp, first: Timestamp) {
        self.after = after
        self.timestamp = timestamp
        self.first = first
    }
}
