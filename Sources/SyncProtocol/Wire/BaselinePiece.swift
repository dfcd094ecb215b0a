import EventLog
package import Storage

/// Some bytes of a body of a baseline, as it is stored.
package struct BaselinePiece: Hashable, Sendable {
    package var identity: Digest128
    /// Which body.
    package var body: Int
    package var isCompressed: Bool
    /// Bytes of the whole body, logical and as it is stored.
    package var logicalSize: Int, storedSize: Int
    /// Where in the stored body these bytes belong.
    package var offset: Int
    package var bytes: ArraySlice<UInt8>

    package init(
        identity: Digest128, body: Int, isCompressed: Bool, logicalSize: Int, storedSize: Int, offset: Int,
        bytes: ArraySlice<UInt8>
    ) {
        self.identity = identity
        self.body = body
        self.isCompressed = isCompressed
        self.logicalSize = logicalSize
        self.storedSize = storedSize
        self.offset = offset
        self.bytes = bytes
    }

    /// Whether the body ends with it.
    package var isLast: Bool { offset + bytes.count == storedSize }

    /// A body, cut into pieces.
    static func pieces(of frame: Frame, _ body: Int, in identity: Digest128) -> [BaselinePiece] {
        let stored = frame.stored
        return stride(from: 0, to: stored.count, by: WireFormat.pieceSize).map { offset in
            BaselinePiece(
                identity: identity, body: body, isCompressed: frame.header.isCompressed,
                logicalSize: Int(frame.header.logicalLength), storedSize: stored.count, offset: offset,
                bytes: stored.dropFirst(offset).prefix(WireFormat.pieceSize))
        }
    }
}
