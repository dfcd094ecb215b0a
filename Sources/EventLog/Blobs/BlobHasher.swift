import Storage

/// Names content as it passes by: SPEC.md, section 8.
///
/// Pieces may be cut anywhere. Memory grows by 32 bytes per chunk of 512 KiB, because the length is hashed before the digests.
package struct BlobHasher: ~Copyable {
    /// Bytes seen so far.
    package private(set) var length: UInt64 = 0
    private var digests: [UInt8] = []
    private var chunk = SHA256()
    private var chunkLength = 0

    package init() {}

    package mutating func update(_ bytes: Span<UInt8>) {
        var start = 0
        while start < bytes.count {
            let count = min(bytes.count - start, BlobFormat.chunkSize - chunkLength)
            chunk.update(bytes.extracting(start..<start + count))
            start += count
            chunkLength += count
            if chunkLength == BlobFormat.chunkSize { endChunk() }
        }
        length += UInt64(bytes.count)
    }

    package consuming func finalize() -> BlobID {
        if chunkLength > 0 { endChunk() }
        return Self.name(length: length, digests: digests)
    }

    /// The name of a blob whose chunks have these digests, one after the other.
    package static func name(length: UInt64, digests: [UInt8]) -> BlobID {
        var writer = ByteWriter(capacity: BlobFormat.domain.utf8.count + 8)
        writer.raw(Array(BlobFormat.domain.utf8))
        writer.u64(length)
        var hash = SHA256()
        hash.update(writer.bytes.span)
        hash.update(digests.span)
        return BlobID(digest: hash.finalize())
    }

    /// The name of `bytes`.
    package static func hash(_ bytes: Span<UInt8>) -> BlobID {
        var hasher = BlobHasher()
        hasher.update(bytes)
        return hasher.finalize()
    }

    private mutating func endChunk() {
        var done = SHA256()
        swap(&done, &chunk)
        digests += done.finalize()
        chunkLength = 0
    }
}

extension BlobID {
    /// The 32 bytes of a digest, in their order.
    fileprivate init(digest: [UInt8]) {
        func word(_ index: Int) -> UInt64 { digest[index * 8..<index * 8 + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: Digest128(high: word(0), low: word(1)), low: Digest128(high: word(2), low: word(3)))
    }
}
