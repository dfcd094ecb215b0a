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
        guard let header = try header() else {
            throw damaged("a frame's header does not match its checksum", at: place)
        }
        let start = place + UInt64(SegmentFormat.frameHeaderSize)
        let stored = try read(at: start, count: Int(header.storedLength))
        guard let stored, Checksum.xxh3(stored.span) == header.bodyChecksum else {
            throw damaged("a frame's body does not match its checksum", at: place)
        }
        let frameEnd = start + UInt64(header.storedLength)
        offset = SegmentFormat.align(
            frameEnd, to: header.flags.contains(.lastOfGroup) ? SegmentFormat.groupAlignment : SegmentFormat.frameAlignment)
        return (Frame(header: header, stored: stored), place)
    }

    private mutating func header() throws(LogError) -> FrameHeader? {
        guard let bytes = try read(at: offset, count: SegmentFormat.frameHeaderSize) else { return nil }
        return FrameHeader(Array(bytes), at: 0, salt: salt)
    }

    private mutating func read(at offset: UInt64, count: Int) throws(LogError) -> ArraySlice<UInt8>? {
        do throws(StorageError) { return try window.bytes(at: offset, count: count) } catch { throw LogError(error) }
    }

    private func damaged(_ what: String, at offset: UInt64) -> LogError {
        LogError(.corrupt, "\(what); verify the store and repair it from a replica or a backup", path: path, offset: offset)
    }
}
