import Storage

/// The last 64 bytes of a sealed segment: SPEC.md, section 4.9.
package struct SegmentFooter: Sendable, Equatable {
    static let magic: UInt64 = 0x3152_5446_4452_5453  // "STRDFTR1"

    package var index: UInt64
    package var end: UInt64
    package var lastLSN: UInt64
    package var group: UInt32
    package var link: UInt64

    package init(index: UInt64, end: UInt64, lastLSN: UInt64, group: UInt32, link: UInt64) {
        self.index = index
        self.end = end
        self.lastLSN = lastLSN
        self.group = group
        self.link = link
    }

    package func encode(salt: UInt64) -> [UInt8] {
        var writer = ByteWriter(capacity: SegmentFormat.footerSize)
        for word in [Self.magic, index, end, lastLSN, UInt64(group), link, 0] { writer.u64(word) }
        writer.u64(Checksum.xxh3(writer.bytes.span, seed: salt))
        return writer.bytes
    }

    /// Nil when the bytes are no valid footer.
    package init?(_ bytes: [UInt8], salt: UInt64) {
        guard bytes.count == SegmentFormat.footerSize else { return nil }
        var reader = ByteReader(bytes)
        var words: [UInt64] = []
        while let word = try? reader.u64() { words.append(word) }
        guard words.count == 8, words[0] == Self.magic, words[7] == Checksum.xxh3(bytes.span.extracting(0..<56), seed: salt)
        else { return nil }
        self.init(
            index: words[1], end: words[2], lastLSN: words[3], group: UInt32(truncatingIfNeeded: words[4]), link: words[5])
    }
}
