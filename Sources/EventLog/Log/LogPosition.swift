/// A place between two groups of the log.
package struct LogPosition: Sendable, Equatable {
    /// The segment, and where the next group in it begins.
    package var ordinal: UInt64
    package var offset: UInt64
    /// Number and header checksum of the frame before; 0 at the start of a segment and of the log.
    package var group: UInt32
    package var link: UInt64
    /// The LSN the next transaction gets.
    package var nextLSN: UInt64

    package init(ordinal: UInt64, offset: UInt64, group: UInt32, link: UInt64, nextLSN: UInt64) {
        self.ordinal = ordinal
        self.offset = offset
        self.group = group
        self.link = link
        self.nextLSN = nextLSN
    }

    /// The last LSN before this place.
    package var lastLSN: UInt64 { nextLSN - 1 }
}
