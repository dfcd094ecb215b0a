package import Storage

/// The first bytes of a transaction's first part: what the log needs to know of it without decoding it.
package struct PartPreamble: Sendable, Equatable {
    package let isVoid: Bool
    package let timestamp: Timestamp

    package init(_ part: PartBytes) throws(StorageError) {
        var reader = part.reader
        let flags = try reader.partFlags()
        guard flags & TransactionFormat.Flag.continuation == 0 else {
            throw reader.failure("a further part where a transaction begins")
        }
        isVoid = flags & TransactionFormat.Flag.void != 0
        timestamp = Timestamp(rawValue: try reader.u64())
    }
}
