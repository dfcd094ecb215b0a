/// Cheap proof that a scan looked at every byte; see `post_touch` of the peers.
package enum Touch64 {
    /// The bytes as eight-byte words and a rest of single bytes, all added.
    package static func sum(_ bytes: Span<UInt8>) -> UInt64 {
        var sum: UInt64 = 0
        var position = 0
        let raw = unsafe bytes.bytes
        while position + 8 <= raw.byteCount {
            sum &+= unsafe raw.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
            position += 8
        }
        while position < bytes.count {
            sum &+= UInt64(bytes[position])
            position += 1
        }
        return sum
    }
}
