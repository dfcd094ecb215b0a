import Storage

// Finding one's way past damage.
extension StoreVerifier {
    static let report = "keep the store and report it: a program has written what it must not"

    /// A frame as far as it can be read.
    enum FrameRead {
        case whole(Frame, end: UInt64)
        /// The header is valid, the body is not.
        case body(FrameHeader, end: UInt64)
        case header
    }

    /// Reads the frame at `offset` without regard to what surrounds it.
    func readFrame(at offset: UInt64, in window: inout ReadWindow, salt: UInt64) throws(StorageError) -> FrameRead {
        guard let bytes = try window.bytes(at: offset, count: SegmentFormat.frameHeaderSize),
            let header = FrameHeader(Array(bytes), at: 0, salt: salt)
        else { return .header }
        let start = offset + UInt64(SegmentFormat.frameHeaderSize)
        let end = start + UInt64(header.storedLength)
        guard let stored = try window.bytes(at: start, count: Int(header.storedLength)),
            Checksum.xxh3(stored.span) == header.bodyChecksum
        else { return .body(header, end: end) }
        return .whole(Frame(header: header, stored: stored), end: end)
    }

    /// Nothing that is known of the log holds any more, until the next index.
    func forget() {
        state = nil
        open = nil
    }

    /// Says what is wrong with the group at `position`, frame by frame, and goes to the next group that is whole at its start.
    ///
    /// - Returns: nil when there is none before `end`.
    func skipDamage(
        _ segment: SegmentFile, from position: LogPosition, to end: UInt64?
    ) throws(StorageError) -> GroupScanner? {
        forget()
        let isNew = !groups.isBroken
        groups.isBroken = true
        var window = try ReadWindow(segment.file)
        let limit = min(end ?? .max, window.size)
        var offset = position.offset
        var link = position.link
        var found = false
        walk: while offset < limit {
            let header: FrameHeader
            let frameEnd: UInt64
            switch try readFrame(at: offset, in: &window, salt: segment.header.salt) {
            case .header:
                if !found || offset > position.offset {
                    problem(segment.path, offset, "a frame's header is missing or does not match its checksum")
                    found = true
                }
                offset += SegmentFormat.frameAlignment
                break walk
            case .body(let read, let end):
                problem(segment.path, offset, "a frame's body does not match its checksum")
                found = true
                (header, frameEnd) = (read, end)
            case .whole(let frame, let end): (header, frameEnd) = (frame.header, end)
            }
            if header.link != link || (offset == position.offset && header.firstLSN != position.nextLSN) {
                problem(segment.path, offset, "a frame does not follow the one before")
                found = true
            }
            link = header.checksum
            if header.flags.contains(.lastOfGroup) {
                offset = SegmentFormat.align(frameEnd, to: SegmentFormat.groupAlignment)
                break
            }
            offset = SegmentFormat.align(frameEnd, to: SegmentFormat.frameAlignment)
        }
        if !found, isNew { problem(segment.path, position.offset, "a group is cut off or out of order") }
        guard let next = try nextGroup(in: segment, from: max(offset, position.offset + 64), to: end, after: position) else {
            return nil
        }
        if next.nextLSN > position.nextLSN {
            note(
                segment.path, position.offset, "transactions \(position.nextLSN) to \(next.lastLSN) of the log cannot be read",
                Self.restore)
        }
        return try GroupScanner(segment.file, salt: segment.header.salt, from: next)
    }

    /// The place of the first group from `offset` on whose header is valid.
    func nextGroup(
        in segment: SegmentFile, from offset: UInt64, to end: UInt64?, after position: LogPosition
    ) throws(StorageError) -> LogPosition? {
        let chunk: UInt64 = 256 << 10
        var window = try ReadWindow(segment.file, chunk: Int(chunk))
        let limit = min(end ?? .max, window.size)
        var base = offset / SegmentFormat.frameAlignment * SegmentFormat.frameAlignment
        while base < limit {
            guard let slice = try window.bytes(at: base, count: Int(min(chunk, limit - base))) else { return nil }
            let bytes = Array(slice)
            for start in stride(from: 0, to: bytes.count, by: Int(SegmentFormat.frameAlignment)) {
                guard let header = FrameHeader(bytes, at: start, salt: segment.header.salt),
                    header.flags.contains(.firstOfGroup), header.group > position.group, header.firstLSN > 0
                else { continue }
                return LogPosition(
                    ordinal: segment.header.ordinal, offset: base + UInt64(start), group: header.group - 1, link: header.link,
                    nextLSN: header.firstLSN)
            }
            base += chunk
        }
        return nil
    }
}
