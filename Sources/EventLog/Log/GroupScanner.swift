// Invariants
// * `position` is where the last valid group ends, or where the scan began.
// * A group is given out only whole: every header and body of it checked, numbers, LSNs and links unbroken.

import Storage

/// Reads the groups of one file in order, up to the first place that is not a valid group.
struct GroupScanner {
    /// A frame and where its header lies.
    struct Located {
        let frame: Frame
        let offset: UInt64
    }

    let salt: UInt64
    private(set) var position: LogPosition
    /// The highest durable LSN that a frame claimed.
    private(set) var durableLSN: UInt64 = 0
    /// After the last group: whether a valid frame header was at `position`.
    private(set) var stoppedInsideGroup = false
    private var window: ReadWindow

    init(_ file: any File, salt: UInt64, from position: LogPosition) throws(StorageError) {
        self.salt = salt
        self.position = position
        window = try ReadWindow(file)
    }

    /// The next group, or nil at the first place where there is none.
    mutating func next() throws(StorageError) -> [Located]? {
        stoppedInsideGroup = false
        var group: [Located] = []
        var offset = position.offset
        var link = position.link
        var lsn = position.nextLSN
        while true {
            guard let located = try frame(at: offset, link: link, lsn: lsn, isFirst: group.isEmpty) else { return nil }
            let header = located.frame.header
            group.append(located)
            link = header.checksum
            lsn += UInt64(header.transactions)
            durableLSN = max(durableLSN, header.durableLSN)
            let end = offset + UInt64(SegmentFormat.frameHeaderSize) + UInt64(header.storedLength)
            if header.flags.contains(.lastOfGroup) {
                position.offset = SegmentFormat.align(end, to: SegmentFormat.groupAlignment)
                position.group = header.group
                position.link = link
                position.nextLSN = lsn
                return group
            }
            offset = SegmentFormat.align(end, to: SegmentFormat.frameAlignment)
        }
    }

    /// The frame at `offset` if it is valid and follows what is before.
    private mutating func frame(at offset: UInt64, link: UInt64, lsn: UInt64, isFirst: Bool) throws(StorageError) -> Located? {
        switch try window.frame(at: offset, salt: salt) {
        case .nothing: return nil
        case .headerOnly(let header):
            if follows(header, link: link, lsn: lsn, isFirst: isFirst) { stoppedInsideGroup = true }
            return nil
        case .frame(let frame):
            guard follows(frame.header, link: link, lsn: lsn, isFirst: isFirst) else { return nil }
            stoppedInsideGroup = true
            return Located(frame: frame, offset: offset)
        }
    }

    private func follows(_ header: FrameHeader, link: UInt64, lsn: UInt64, isFirst: Bool) -> Bool {
        header.group == position.group + 1 && header.link == link && header.firstLSN == lsn
            && header.flags.contains(.firstOfGroup) == isFirst
    }
}
