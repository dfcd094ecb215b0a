package import Storage

/// A frame whose header and body have been checked.
package struct Frame: Sendable {
    package let header: FrameHeader
    /// The body as stored: compressed when the header says so.
    package let stored: ArraySlice<UInt8>

    package init(header: FrameHeader, stored: ArraySlice<UInt8>) {
        self.header = header
        self.stored = stored
    }

    /// Makes a frame of a body, compressing it where that pays.
    package init(_ kind: FrameHeader.Kind, body: [UInt8], transactions: Int = 0) {
        var header = FrameHeader(kind)
        header.logicalLength = UInt32(body.count)
        header.transactions = UInt32(transactions)
        let packed = body.count >= SegmentFormat.compressionFloor ? LZ4.compress(body.span) : nil
        header.isCompressed = packed != nil
        let stored = packed ?? body
        header.storedLength = UInt32(stored.count)
        header.bodyChecksum = Checksum.xxh3(stored.span)
        self.init(header: header, stored: stored[...])
    }

    /// The bytes of the frame in a file, under `header`, whose checksum is set.
    package func encoded(as header: inout FrameHeader, salt: UInt64) -> [UInt8] {
        var writer = ByteWriter(capacity: SegmentFormat.frameHeaderSize + stored.count)
        header.append(to: &writer, salt: salt)
        writer.raw(stored)
        return writer.bytes
    }

    /// The logical bytes.
    package func body() throws(StorageError) -> [UInt8] {
        guard header.isCompressed else { return Array(stored) }
        return try LZ4.decompress(stored.span, size: Int(header.logicalLength))
    }
}
