import Storage

extension ReadWindow {
    /// What lies at a place where a frame may begin.
    enum Place {
        /// No valid header.
        case nothing
        /// A valid header whose body is not there or does not match it.
        case headerOnly(FrameHeader)
        case frame(Frame)
    }

    /// Reads a frame and checks its header, then its body.
    mutating func frame(at offset: UInt64, salt: UInt64) throws(StorageError) -> Place {
        guard let bytes = try bytes(at: offset, count: SegmentFormat.frameHeaderSize),
            let header = FrameHeader(Array(bytes), at: 0, salt: salt)
        else { return .nothing }
        guard let stored = try self.bytes(at: offset + UInt64(SegmentFormat.frameHeaderSize), count: Int(header.storedLength)),
            Checksum.xxh3(stored.span) == header.bodyChecksum
        else { return .headerOnly(header) }
        return .frame(Frame(header: header, stored: stored))
    }
}
