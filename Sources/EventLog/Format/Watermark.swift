import Storage

/// Proof, written off the path of commits, that a segment was durable up to a place: SPEC.md, section 4.2.
package struct Watermark: Sendable, Equatable {
    static let magic: UInt32 = 0x4B52_4D57

    /// Nothing was being written when this was.
    package var isClean: Bool
    package var counter: UInt64
    /// Everything before this offset was durable.
    package var end: UInt64
    package var lastLSN: UInt64
    /// Group number and header checksum of the last frame before ``end``.
    package var group: UInt32
    package var link: UInt64
    /// Offset of an index frame before ``end`` from which a reader may start, 0 for none.
    package var checkpoint: UInt64

    package init(isClean: Bool, counter: UInt64, end: UInt64, lastLSN: UInt64, group: UInt32, link: UInt64, checkpoint: UInt64)
    {
        self.isClean = isClean
        self.counter = counter
        self.end = end
        self.lastLSN = lastLSN
        self.group = group
        self.link = link
        self.checkpoint = checkpoint
    }

    package func encode(salt: UInt64) -> [UInt8] {
        var writer = ByteWriter(capacity: SegmentFormat.watermarkSize)
        writer.u32(Self.magic)
        writer.u32(isClean ? 1 : 0)
        for word in [counter, end, lastLSN, UInt64(group), link, checkpoint] { writer.u64(word) }
        writer.u64(Checksum.xxh3(writer.bytes.span, seed: salt))
        return writer.bytes
    }

    /// Nil when the slot holds no valid watermark.
    package init?(_ bytes: [UInt8], salt: UInt64) {
        guard bytes.count >= SegmentFormat.watermarkSize, let mark = try? Self.read(bytes, salt: salt) else { return nil }
        self = mark
    }

    private static func read(_ bytes: [UInt8], salt: UInt64) throws(StorageError) -> Watermark? {
        var reader = ByteReader(bytes)
        guard try reader.u32() == magic else { return nil }
        let flags = try reader.u32()
        var words: [UInt64] = []
        for _ in 0..<6 { words.append(try reader.u64()) }
        guard try reader.u64() == Checksum.xxh3(bytes.span.extracting(0..<56), seed: salt) else { return nil }
        return Watermark(
            isClean: flags & 1 != 0, counter: words[0], end: words[1], lastLSN: words[2],
            group: UInt32(truncatingIfNeeded: words[3]), link: words[4], checkpoint: words[5])
    }
}
