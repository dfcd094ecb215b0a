// Invariants
// * No length is believed before a checksum over it; at most one frame is in memory.

import EventLog
import Storage

/// Reads the frames of a file in a shared folder from front to end, each checked and proved to follow the one before.
struct FrameWalk {
    private let file: any File
    private let salt: UInt64
    /// Bytes of the file by its header.
    private let end: UInt64
    private var offset = ExchangeFormat.framesStart
    /// Where the frame last read begins.
    private(set) var frameOffset = ExchangeFormat.framesStart
    private var link: UInt64 = 0

    /// - Throws: ``ExchangeDamage`` when not all of the file is there.
    init(_ file: any File, salt: UInt64, end: UInt64) throws(ExchangeDamage) {
        self.file = file
        self.salt = salt
        self.end = end
        let size = try ExchangeDamage.wrap { () throws(StorageError) in try file.size() }
        guard size >= end else { throw ExchangeDamage("only \(size) of its \(end) bytes have arrived", at: size) }
        guard size == end else { throw ExchangeDamage("it has \(size) bytes where its header says \(end)", at: end) }
    }

    var isAtEnd: Bool { offset >= end }

    mutating func next(_ kinds: Set<FrameHeader.Kind>) throws(ExchangeDamage) -> Frame {
        frameOffset = offset
        let place = offset
        let start = place + UInt64(SegmentFormat.frameHeaderSize)
        let found = try read(at: place, count: SegmentFormat.frameHeaderSize)
        guard start <= end, let frame = FrameHeader(found, at: 0, salt: salt) else {
            throw ExchangeDamage("a frame's header does not match its checksum", at: place)
        }
        guard frame.link == link, let kind = frame.kind, kinds.contains(kind) else {
            throw ExchangeDamage("a frame that does not belong here", at: place)
        }
        guard UInt64(frame.storedLength) <= end - start else {
            throw ExchangeDamage("a frame that reaches beyond the end", at: place)
        }
        let stored = try read(at: start, count: Int(frame.storedLength))
        guard stored.count == Int(frame.storedLength), Checksum.xxh3(stored.span) == frame.bodyChecksum else {
            throw ExchangeDamage("a frame's body does not match its checksum", at: place)
        }
        link = frame.checksum
        offset = SegmentFormat.align(start + UInt64(stored.count), to: SegmentFormat.frameAlignment)
        return Frame(header: frame, stored: stored[...])
    }

    private func read(at offset: UInt64, count: Int) throws(ExchangeDamage) -> [UInt8] {
        try ExchangeDamage.wrap(at: offset) { () throws(StorageError) in try file.bytes(at: offset, count: count) }
    }
}
