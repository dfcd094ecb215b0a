import EventLog
import Storage

/// Transactions for tests that are about the log and not about what is in it.
enum TestPart {
    /// A transaction without changes, padded by its author to about `size` bytes.
    static func bytes(_ header: TransactionHeader) -> [UInt8] {
        var writer = ByteWriter()
        writer.u8(0)
        writer.u64(header.timestamp.rawValue)
        writer.string(header.author)
        writer.count(header.context.count)
        for entry in header.context {
            writer.digest(entry.origin.bits)
            writer.varint(entry.sequence)
            writer.digest(entry.chain)
        }
        for _ in 0..<3 { writer.u8(0) }
        return writer.bytes
    }

    /// About `size` bytes that a reader skips: a change group of a kind that nobody knows and anybody may leave out.
    static func filler(_ size: Int, from next: () -> UInt8) -> [UInt8] {
        var writer = ByteWriter()
        writer.u8(0xFF)
        writer.count(max(0, size - 3))
        writer.raw((0..<max(0, size - 3)).map { _ in next() })
        return writer.bytes
    }
}
