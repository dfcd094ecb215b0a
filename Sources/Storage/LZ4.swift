import CLZ4

/// The LZ4 block format (https://github.com/lz4/lz4/blob/v1.9.4/doc/lz4_Block_format.md).
package enum LZ4 {
    /// Compresses `bytes`, or returns nil when the result would not be at least an eighth smaller.
    package static func compress(_ bytes: Span<UInt8>) -> [UInt8]? {
        let capacity = bytes.count - bytes.count / 8
        guard bytes.count >= 64, bytes.count <= Int(Int32.max) else { return nil }
        let packed = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { target, count in
            count = unsafe bytes.withUnsafeBytes { source in
                let from = unsafe source.bindMemory(to: CChar.self)
                let into = unsafe UnsafeMutableRawBufferPointer(target).bindMemory(to: CChar.self)
                return Int(
                    unsafe LZ4_compress_default(from.baseAddress, into.baseAddress, Int32(bytes.count), Int32(capacity)))
            }
        }
        return packed.isEmpty ? nil : packed
    }

    /// Decompresses a block whose logical size is known.
    ///
    /// - Throws: `malformed` when the block is damaged or does not give exactly `size` bytes. Never writes past `size`.
    package static func decompress(_ bytes: Span<UInt8>, size: Int) throws(StorageError) -> [UInt8] {
        // A byte of LZ4 yields at most 255; refuse a larger claim before any memory is taken.
        guard size >= 0, size <= bytes.count * 255 + 64, bytes.count <= Int(Int32.max) else {
            throw .malformed("a compressed block of \(bytes.count) bytes cannot hold \(size)")
        }
        var written = 0
        let unpacked = unsafe [UInt8](unsafeUninitializedCapacity: size) { target, count in
            written = unsafe bytes.withUnsafeBytes { source in
                let from = unsafe source.bindMemory(to: CChar.self)
                let into = unsafe UnsafeMutableRawBufferPointer(target).bindMemory(to: CChar.self)
                return Int(unsafe LZ4_decompress_safe(from.baseAddress, into.baseAddress, Int32(bytes.count), Int32(size)))
            }
            count = max(0, written)
        }
        guard written == size else { throw .malformed("a compressed block is damaged") }
        return unpacked
    }
}
