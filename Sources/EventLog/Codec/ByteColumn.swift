import Storage

// Invariants
// * `ends.count` is the number of rows; the rows lie in `bytes` one after the other from `start`, `ends` ascending and within it.
// * In a column of strings every row is valid UTF-8, checked once when it was read.

/// Strings or byte runs of a decoded column, still lying in the part they came in.
package struct ByteColumn: Sendable {
    package let bytes: [UInt8]
    package let start: Int
    package let ends: [Int]

    @inlinable package var count: Int { ends.count }

    @inlinable package subscript(row: Int) -> Range<Int> { (row == 0 ? start : ends[row - 1])..<ends[row] }

    /// A row of a column of strings.
    @inlinable package func string(_ row: Int) -> String {
        let range = self[row]
        return unsafe bytes.withUnsafeBufferPointer {
            unsafe String(decoding: UnsafeBufferPointer(rebasing: $0[range]), as: UTF8.self)
        }
    }

    package func data(_ row: Int) -> [UInt8] { Array(bytes[self[row]]) }
}

extension ByteColumn {
    /// Reads byte counts and bytes of the rows that `presence` has; the others are empty.
    init(from reader: inout ByteReader, presence: Presence, isText: Bool) throws(StorageError) {
        let offset = reader.position
        let lengths = try reader.ints(presence.present)
        var total: UInt64 = 0
        for length in lengths {
            // At most 2^18 rows of at most 2^20 bytes are summed before the check below, so that the sum cannot wrap.
            guard length >= 0, length <= Int64(reader.remaining) else {
                throw .malformed("a value of \(length) bytes, with \(reader.remaining) left", offset: UInt64(offset))
            }
            total &+= UInt64(length)
        }
        guard total <= UInt64(reader.remaining) else { throw reader.failure("values of \(total) bytes in all") }
        let range = try reader.advance(Int(total))
        var ends: [Int] = []
        ends.reserveCapacity(presence.count)
        var end = range.lowerBound
        if presence.isAll {
            for length in lengths {
                end &+= Int(length)
                ends.append(end)
            }
        } else {
            var value = 0
            for row in 0..<presence.count {
                if presence[row] {
                    end &+= Int(lengths[value])
                    value += 1
                }
                ends.append(end)
            }
        }
        bytes = reader.bytes
        start = range.lowerBound
        self.ends = ends
        if isText { try validate(range) }
    }

    /// The whole is valid and no row begins inside a character: so each row is valid.
    private func validate(_ range: Range<Int>) throws(StorageError) {
        do {
            _ = try UTF8Span(validating: bytes.span.extracting(range))
        } catch {
            throw .malformed("a string that is not UTF-8", offset: UInt64(range.lowerBound))
        }
        for end in ends where end < range.upperBound && bytes[end] & 0xc0 == 0x80 {
            throw .malformed("a string that is not UTF-8", offset: UInt64(end))
        }
    }
}
