/// Builds bytes of our formats: little-endian words, canonical LEB128 varints, counted strings.
package struct ByteWriter: Sendable {
    package var bytes: [UInt8]

    @inlinable package init() { bytes = [] }

    @inlinable package init(capacity: Int) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    @inlinable package var count: Int { bytes.count }

    @inlinable package mutating func u8(_ value: UInt8) { bytes.append(value) }
    @inlinable package mutating func u16(_ value: UInt16) { word(value.littleEndian) }
    @inlinable package mutating func u32(_ value: UInt32) { word(value.littleEndian) }
    @inlinable package mutating func u64(_ value: UInt64) { word(value.littleEndian) }

    /// Seven bits a byte, least significant first; the shortest form, the only one a reader accepts.
    @inlinable package mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// A varint of a length or an index, which must not be negative.
    @inlinable package mutating func count(_ value: Int) { varint(UInt64(value)) }

    /// A signed number, small magnitudes first: 0, -1, 1, -2 and so on.
    @inlinable package mutating func zigzag(_ value: Int64) {
        varint(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    }

    /// The length in bytes as a varint, then UTF-8.
    @inlinable package mutating func string(_ text: String) {
        count(text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    /// Sixteen big-endian bytes, so that bytes sort as digests do.
    @inlinable package mutating func digest(_ digest: Digest128) {
        word(digest.high.bigEndian)
        word(digest.low.bigEndian)
    }

    @inlinable package mutating func raw(_ source: Span<UInt8>) {
        unsafe source.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }

    @inlinable package mutating func raw(_ source: ArraySlice<UInt8>) { bytes.append(contentsOf: source) }
    @inlinable package mutating func raw(_ source: [UInt8]) { bytes.append(contentsOf: source) }

    @inlinable package mutating func zeros(_ count: Int) { bytes += [UInt8](repeating: 0, count: count) }

    /// Zeros up to the next multiple of `alignment`, counted from the first byte of this writer.
    @inlinable package mutating func pad(to alignment: Int) {
        let excess = bytes.count % alignment
        if excess > 0 { zeros(alignment - excess) }
    }

    /// Replaces four bytes written before, such as a length known only now.
    @inlinable package mutating func patch(u32 value: UInt32, at offset: Int) { replace(value.littleEndian, at: offset) }

    /// Replaces eight bytes written before.
    @inlinable package mutating func patch(u64 value: UInt64, at offset: Int) { replace(value.littleEndian, at: offset) }

    @inlinable package mutating func word<Word: FixedWidthInteger>(_ value: Word) {
        unsafe withUnsafeBytes(of: value) { unsafe bytes.append(contentsOf: $0) }
    }

    @inlinable package mutating func replace<Word: FixedWidthInteger>(_ value: Word, at offset: Int) {
        precondition(offset >= 0 && offset <= bytes.count - MemoryLayout<Word>.size, "a patch must lie in what was written")
        unsafe bytes.withUnsafeMutableBytes { unsafe $0.storeBytes(of: value, toByteOffset: offset, as: Word.self) }
    }
}
