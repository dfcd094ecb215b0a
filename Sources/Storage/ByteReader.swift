// Invariants
// * 0 <= position <= end <= bytes.count. Every read checks against `end` once, then loads; nothing is read past it.
// * A failed read throws and leaves the position where the read began.
// * Whatever length the bytes claim is checked against what is left before anyone allocates for it.

/// Reads the bytes of our formats, whoever sent them.
///
/// Every method throws `malformed` with the offset at which the bytes stop making sense. A copy is an independent cursor over
/// the same bytes.
package struct ByteReader: Sendable {
    package let bytes: [UInt8]
    /// Where the next read begins, counted from the start of the array.
    package var position: Int
    /// Where this reader stops.
    package let end: Int

    @inlinable package init(_ bytes: [UInt8]) { self.init(bytes, 0..<bytes.count) }

    /// Reads the part `range` of `bytes`, which must lie within it.
    @inlinable package init(_ bytes: [UInt8], _ range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count, "a reader must lie in its bytes")
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    @inlinable package init(_ slice: ArraySlice<UInt8>) { self.init(Array(slice)) }

    @inlinable package var remaining: Int { end - position }
    @inlinable package var isAtEnd: Bool { position == end }

    /// Throws unless everything was read.
    @inlinable package func expectEnd() throws(StorageError) {
        if position != end { throw failure("\(remaining) bytes more than expected") }
    }

    @inlinable package mutating func u8() throws(StorageError) -> UInt8 { try word() }
    @inlinable package mutating func u16() throws(StorageError) -> UInt16 { UInt16(littleEndian: try word()) }
    @inlinable package mutating func u32() throws(StorageError) -> UInt32 { UInt32(littleEndian: try word()) }
    @inlinable package mutating func u64() throws(StorageError) -> UInt64 { UInt64(littleEndian: try word()) }

    /// A LEB128 number in its shortest form; anything longer is refused, so that equal values have equal bytes.
    @inlinable package mutating func varint() throws(StorageError) -> UInt64 {
        if position < end {
            let first = bytes[position]
            if first < 0x80 {
                position += 1
                return UInt64(first)
            }
        }
        return try longVarint()
    }

    /// A number of elements that follow, each of at least `minimumSize` bytes.
    @inlinable package mutating func count(max: Int, minimumSize: Int = 1) throws(StorageError) -> Int {
        let start = position
        let value = try varint()
        guard value <= UInt64(Swift.max(0, max)) else {
            position = start
            throw failure("a count of \(value); at most \(max) is allowed")
        }
        guard minimumSize <= 0 || Int(value) <= remaining / minimumSize else {
            let left = remaining
            position = start
            throw failure("a count of \(value), with \(left) bytes left")
        }
        return Int(value)
    }

    /// A signed number, as ``ByteWriter/zigzag(_:)`` writes it.
    @inlinable package mutating func zigzag() throws(StorageError) -> Int64 {
        let value = try varint()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    /// A counted string of at most `max` bytes of valid UTF-8.
    @inlinable package mutating func string(max: Int) throws(StorageError) -> String {
        let start = position
        let length = try count(max: max)
        guard let text = String(validating: bytes[position..<position + length], as: UTF8.self) else {
            position = start
            throw failure("a string that is not UTF-8")
        }
        position += length
        return text
    }

    /// Sixteen big-endian bytes.
    @inlinable package mutating func digest() throws(StorageError) -> Digest128 {
        guard remaining >= 16 else { throw shortage(of: 16) }
        let high: UInt64 = try word()
        let low: UInt64 = try word()
        return Digest128(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
    }

    /// The next `count` bytes; shares the array.
    @inlinable package mutating func bytes(_ count: Int) throws(StorageError) -> ArraySlice<UInt8> {
        bytes[try advance(count)]
    }

    /// A reader of the next `count` bytes; this one continues after them.
    @inlinable package mutating func subReader(_ count: Int) throws(StorageError) -> ByteReader {
        ByteReader(bytes, try advance(count))
    }

    @inlinable package mutating func skip(_ count: Int) throws(StorageError) { _ = try advance(count) }

    /// An error at the current position.
    package func failure(_ what: String) -> StorageError { .malformed(what, offset: UInt64(position)) }

    @inlinable package mutating func advance(_ count: Int) throws(StorageError) -> Range<Int> {
        guard count >= 0, count <= remaining else { throw shortage(of: count) }
        let start = position
        position = start + count
        return start..<position
    }

    @inlinable package mutating func word<Word: FixedWidthInteger & BitwiseCopyable>() throws(StorageError) -> Word {
        let size = MemoryLayout<Word>.size
        guard remaining >= size else { throw shortage(of: size) }
        let offset = position
        position = offset + size
        return unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: offset, as: Word.self) }
    }

    package func shortage(of count: Int) -> StorageError {
        failure("\(count) bytes are needed and \(remaining) are left")
    }

    package mutating func longVarint() throws(StorageError) -> UInt64 {
        var value: UInt64 = 0
        var cursor = position
        for shift in stride(from: UInt64(0), through: 63, by: 7) {
            guard cursor < end else { throw failure("a number is cut off") }
            let byte = bytes[cursor]
            cursor += 1
            // The tenth byte has room for one bit.
            if shift == 63, byte > 1 { throw failure("a number of more than 64 bits") }
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 {
                if byte == 0, shift > 0 { throw failure("a number that is not in its shortest form") }
                position = cursor
                return value
            }
        }
        throw failure("a number of more than 64 bits")
    }
}
