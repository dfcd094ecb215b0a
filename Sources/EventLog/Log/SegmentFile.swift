// Invariants
// * Only the holder of the writers' lock writes to a segment, and never to one that was given up.
// * The watermark slots are written in turn, so that a torn one leaves the other.

import Storage

/// An open segment: its header, its watermarks, and where its frames are.
///
/// Knows bytes, not their meaning.
struct SegmentFile: Sendable {
    let file: any File
    /// Its name in the log; the file was opened under another one when it was made here.
    let path: String
    let header: SegmentHeader
    /// The valid watermark with the highest counter.
    private(set) var watermark: Watermark?

    init(file: any File, path: String, header: SegmentHeader) {
        self.file = file
        self.path = path
        self.header = header
    }

    /// Opens a segment and reads its header and watermarks.
    static func open(_ path: String, for mode: OpenMode, in fileSystem: any FileSystem) throws(LogError) -> SegmentFile {
        let file: any File
        do throws(StorageError) {
            file = try fileSystem.open(path, mode)
        } catch {
            guard error.code == .notFound else { throw LogError(error) }
            throw LogError(
                .corrupt, "a segment of the log is missing; restore it from a backup or repair the store from a replica",
                path: path)
        }
        let bytes = try LogError.wrap { () throws(StorageError) in
            try file.bytes(at: 0, count: Int(SegmentFormat.framesStart))
        }
        let header = try SegmentHeader(bytes, kind: .segment, path: path)
        var segment = SegmentFile(file: file, path: path, header: header)
        for offset in SegmentFormat.watermarkOffsets where bytes.count >= Int(offset) + SegmentFormat.watermarkSize {
            let slot = Array(bytes[Int(offset)..<Int(offset) + SegmentFormat.watermarkSize])
            guard let mark = Watermark(slot, salt: header.salt) else { continue }
            if mark.counter > segment.watermark?.counter ?? 0 { segment.watermark = mark }
        }
        return segment
    }

    /// Looks again which watermark is the newest: another process may have written one.
    mutating func refreshWatermark() throws(StorageError) {
        for offset in SegmentFormat.watermarkOffsets {
            let slot = try file.bytes(at: offset, count: SegmentFormat.watermarkSize)
            guard let mark = Watermark(slot, salt: header.salt), mark.counter > watermark?.counter ?? 0 else { continue }
            watermark = mark
        }
    }

    /// Writes the next watermark; durable only after the caller's sync.
    mutating func write(_ mark: Watermark) throws(StorageError) {
        var mark = mark
        mark.counter = (watermark?.counter ?? 0) + 1
        let slot = SegmentFormat.watermarkOffsets[Int(mark.counter % 2)]
        try file.write(mark.encode(salt: header.salt).span, at: slot)
        watermark = mark
    }

    /// The footer, when the segment is sealed.
    func footer() throws(StorageError) -> SegmentFooter? {
        let size = try file.size()
        guard size >= SegmentFormat.framesStart + UInt64(SegmentFormat.footerSize) else { return nil }
        let bytes = try file.bytes(at: size - UInt64(SegmentFormat.footerSize), count: SegmentFormat.footerSize)
        guard let footer = SegmentFooter(bytes, salt: header.salt), footer.end == size - UInt64(SegmentFormat.footerSize) else {
            return nil
        }
        return footer
    }

    /// The index frame at `offset`, or nil when there is none that is valid.
    func index(at offset: UInt64) throws(StorageError) -> (index: SegmentIndex, header: FrameHeader)? {
        guard offset < (try file.size()) else { return nil }
        let bytes = try file.bytes(at: offset, count: SegmentFormat.frameHeaderSize)
        guard let frameHeader = FrameHeader(bytes, at: 0, salt: header.salt), frameHeader.kind == .index else { return nil }
        let stored = try file.bytes(at: offset + UInt64(SegmentFormat.frameHeaderSize), count: Int(frameHeader.storedLength))
        guard stored.count == Int(frameHeader.storedLength), Checksum.xxh3(stored.span) == frameHeader.bodyChecksum else {
            return nil
        }
        let frame = Frame(header: frameHeader, stored: stored[...])
        return (try SegmentIndex(try frame.body()), frameHeader)
    }

    /// Where the log stood before this segment's first frame.
    var start: LogPosition { Self.start(of: header) }

    static func start(of header: SegmentHeader) -> LogPosition {
        LogPosition(
            ordinal: header.ordinal, offset: SegmentFormat.framesStart, group: 0, link: header.predecessor.link,
            nextLSN: header.firstLSN)
    }
}
