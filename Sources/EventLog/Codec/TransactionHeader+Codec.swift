import Storage

// What part 0 of a transaction begins with: SPEC.md, 3.1.
extension TransactionHeader {
    static func bytes(
        origin: ReplicaID, timestamp: Timestamp, author: String, context: [ContextEntry], isVoid: Bool
    ) throws(ChangeRefused) -> [UInt8] {
        guard author.utf8.count <= TransactionFormat.maximumAuthor else {
            throw ChangeRefused(.tooLarge(size: author.utf8.count, limit: TransactionFormat.maximumAuthor), "author")
        }
        guard context.count <= TransactionFormat.maximumContext else {
            throw ChangeRefused(.tooLarge(size: context.count, limit: TransactionFormat.maximumContext), "context")
        }
        var writer = ByteWriter(capacity: 64 + author.utf8.count + 36 * context.count)
        writer.u8(isVoid ? TransactionFormat.Flag.void : 0)
        writer.u64(timestamp.rawValue)
        writer.string(author)
        writer.count(context.count)
        var last: ReplicaID?
        for entry in context {
            guard entry.origin != origin, last.map({ $0 < entry.origin }) ?? true else {
                throw ChangeRefused(.unorderedContext, "context")
            }
            last = entry.origin
            writer.context(entry)
        }
        return writer.bytes
    }

    /// Reads the header of part 0 and leaves the reader at its content.
    init(
        from reader: inout ByteReader, origin: ReplicaID, sequence: UInt64, previousChain: Digest128, chain: Digest128
    ) throws(StorageError) {
        let flags = try reader.partFlags()
        guard flags & TransactionFormat.Flag.continuation == 0 else {
            throw reader.failure("a further part where a transaction begins")
        }
        let timestamp = Timestamp(rawValue: try reader.u64())
        let author = try reader.string(max: TransactionFormat.maximumAuthor)
        let context = try reader.context(without: origin)
        self.init(
            origin: origin, sequence: sequence, timestamp: timestamp, author: author,
            isVoid: flags & TransactionFormat.Flag.void != 0, context: context, previousChain: previousChain, chain: chain)
    }
}

extension ByteWriter {
    mutating func context(_ entry: ContextEntry) {
        digest(entry.origin.bits)
        varint(entry.sequence)
        digest(entry.chain)
    }
}

extension ByteReader {
    mutating func partFlags() throws(StorageError) -> UInt8 {
        let start = position
        let flags = try u8()
        guard flags & ~(TransactionFormat.Flag.void | TransactionFormat.Flag.continuation) == 0 else {
            throw .newerVersion("a part with flags \(flags)", offset: UInt64(start))
        }
        return flags
    }

    /// Context entries, ascending by origin, without `own`.
    mutating func context(without own: ReplicaID?) throws(StorageError) -> [ContextEntry] {
        let count = try count(max: TransactionFormat.maximumContext, minimumSize: 33)
        var context: [ContextEntry] = []
        context.reserveCapacity(count)
        for _ in 0..<count {
            let start = position
            let entry = ContextEntry(origin: ReplicaID(try digest()), sequence: try varint(), chain: try digest())
            guard entry.origin != own, context.last.map({ $0.origin < entry.origin }) ?? true else {
                throw .malformed("a context that does not ascend", offset: UInt64(start))
            }
            context.append(entry)
        }
        return context
    }
}
