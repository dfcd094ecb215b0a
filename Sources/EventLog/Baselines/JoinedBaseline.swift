package import Storage

/// A baseline that came from elsewhere, and where in the log it came.
package struct JoinedBaseline: Sendable, Hashable {
    package let identity: Digest128
    /// The last LSN before it.
    package let lsn: UInt64
    package let floor: [FloorPosition]

    package init(identity: Digest128, lsn: UInt64, floor: [FloorPosition]) {
        self.identity = identity
        self.lsn = lsn
        self.floor = floor
    }
}
