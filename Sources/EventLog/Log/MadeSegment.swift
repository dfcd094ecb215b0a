import Storage

/// A segment that was made durable under its name, and the state of the log in it.
struct MadeSegment: Sendable {
    var segment: SegmentFile
    var state: LogState
    /// The bytes before this offset were written once, as zeros at least.
    var zeroedEnd: UInt64

    /// Whether it goes on where the log is at a position.
    func follows(_ position: LogPosition) -> Bool {
        let header = segment.header
        return header.predecessor.ordinal == position.ordinal && header.predecessor.end == position.offset
            && header.predecessor.link == position.link && header.firstLSN == position.nextLSN
    }
}
