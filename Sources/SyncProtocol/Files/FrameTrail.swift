// Invariants
// * `link` is the checksum of the last frame's header, `offset` the end of that frame: a frame says which one it follows.

import EventLog
import Storage

/// Writes frames one behind the other into a file for a shared folder; their place in a log means nothing there.
struct FrameTrail {
    let salt: UInt64
    private let file: any File
    private(set) var offset = ExchangeFormat.framesStart
    private var link: UInt64 = 0

    init(_ file: any File, salt: UInt64) {
        self.file = file
        self.salt = salt
    }

    mutating func append(_ frame: Frame) throws(StorageError) {
        var header = frame.header
        (header.flags, header.firstLSN, header.group, header.durableLSN) = ([], 0, 0, 0)
        header.link = link
        let bytes = frame.encoded(as: &header, salt: salt)
        let place = SegmentFormat.align(offset, to: SegmentFormat.frameAlignment)
        try file.write(bytes.span, at: place)
        link = header.checksum
        offset = place + UInt64(bytes.count)
    }
}
