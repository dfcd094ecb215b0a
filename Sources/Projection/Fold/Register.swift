package import EventLog

/// What one property of one object holds under one causal length: the write with the highest stamp.
package struct Register: Hashable, Sendable {
    package var stamp: Stamp
    /// Set by an update, as opposed to an insert or a restore.
    package var isExplicit: Bool
    package var value: Value

    package init(stamp: Stamp, isExplicit: Bool, value: Value) {
        self.stamp = stamp
        self.isExplicit = isExplicit
        self.value = value
    }
}
