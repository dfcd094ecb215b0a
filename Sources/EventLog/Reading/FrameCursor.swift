// Invariants
// * Everything before `end` was committed, so a frame there that is not valid is damage, and reading on past it would hide it.

import Storage

/// Walks the frames of a segment or stage file between two offsets.
struct FrameCursor {
    let path: String
    private let salt: UInt64
    private let end: UInt64
    private(set) var offset: UInt64
    private var window: ReadWindow

    init(_ file: any File, salt: UInt64, from offset: UInt64, to end: UInt64) throws(LogError) {
        path = file.path
        self.salt = salt
        self.offset = offset
        self.end = end
        window = try LogError.wrap { () throws(StorageError) in try ReadWindow(file) }
    }

    /// The next frame and its offset, or nil at the end.
    ///
    /// - Throws: `corrupt` with the offset of a damaged frame.
    mutating func next() throws(LogError) -> (frame: Frame, offset: UInt64)? {
        guard offset < end else { return nil }
        let place = offset
        let found = try LogError.wrap { () throws(StorageError) in try window.frame(at: place, salt: salt) }
        switch found {
        case .nothing: throw damaged("a frame's header does not match its checksum", at: place)
        case .headerOnly: throw damaged("a frame's body does not match its checksum", at: place)
        case .frame(let frame):
            let end = place + UInt64(SegmentFormat.frameHeaderSize) + UInt64(frame.header.storedLength)
            let isLast = frame.header.flags.contains(.lastOfGroup)
            offset = SegmentFormat.align(end, to: isLast ? SegmentFormat.groupAlignment : SegmentFormat.frameAlignment)
            return (frame, place)
        }
    }

    private func damaged(_ what: String, at offset: UInt64) -> LogError {
        LogError(.corrupt, "\(what); verify the store and repair it from a replica or a backup", path: path, offset: offset)
    }
}
