package import Storage

/// The bytes of one part of a transaction, wherever they lie: an array of their own or a stretch of a batch.
package struct PartBytes: Sendable, Hashable {
    package let bytes: [UInt8]
    package let range: Range<Int>

    package init(_ bytes: [UInt8]) { self.init(bytes, 0..<bytes.count) }

    /// The stretch `range` of `bytes`, which must lie within it.
    ///
    /// Shares the array.
    package init(_ bytes: [UInt8], _ range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count, "a part must lie in its bytes")
        self.bytes = bytes
        self.range = range
    }

    package var count: Int { range.count }
    package var slice: ArraySlice<UInt8> { bytes[range] }
    package var reader: ByteReader { ByteReader(bytes, range) }
    /// What the chain is made of.
    package var digest: Digest128 { Checksum.xxh3Wide(bytes.span.extracting(range)) }

    package static func == (a: PartBytes, b: PartBytes) -> Bool { a.slice == b.slice }
    package func hash(into hasher: inout Hasher) { hasher.combine(slice) }
}
