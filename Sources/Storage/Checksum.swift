import CXXHash

/// XXH3 of a run of bytes (xxHash 0.8, https://github.com/Cyan4973/xxHash/blob/v0.8.1/doc/xxhash_spec.md).
package enum Checksum {
    /// XXH3-64.
    package static func xxh3(_ bytes: Span<UInt8>, seed: UInt64 = 0) -> UInt64 {
        unsafe bytes.withUnsafeBufferPointer { unsafe XXH3_64bits_withSeed($0.baseAddress, $0.count, seed) }
    }

    /// XXH3-128.
    ///
    /// `high` and `low` are those of xxHash, so the canonical big-endian form is `high` then `low`.
    package static func xxh3Wide(_ bytes: Span<UInt8>) -> Digest128 {
        unsafe bytes.withUnsafeBufferPointer {
            let hash = unsafe XXH3_128bits($0.baseAddress, $0.count)
            return Digest128(high: hash.high64, low: hash.low64)
        }
    }
}
