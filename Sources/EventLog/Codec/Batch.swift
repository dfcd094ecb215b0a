package import Storage

/// Whole transactions of one origin in a row, as they are stored and exchanged: SPEC.md, section 3.5.
package struct Batch: Sendable {
    package let origin: ReplicaID
    package let firstSequence: UInt64
    /// The origin's chain before the first transaction and after the last.
    package let previousChain: Digest128, chain: Digest128
    /// The only part of each transaction.
    package let transactions: [PartBytes]

    package init(origin: ReplicaID, firstSequence: UInt64, previousChain: Digest128, transactions: [PartBytes]) {
        self.origin = origin
        self.firstSequence = firstSequence
        self.previousChain = previousChain
        self.transactions = transactions
        chain = transactions.reduce(previousChain) { Chain.step($0, $1) }
    }

    package var lastSequence: UInt64 { firstSequence + UInt64(transactions.count) - 1 }

    package func encode() -> [UInt8] {
        var writer = ByteWriter(capacity: transactions.reduce(96) { $0 + $1.count + 4 })
        Self.append(
            to: &writer, origin: origin, firstSequence: firstSequence, count: transactions.count, previousChain: previousChain,
            chain: chain)
        for part in transactions {
            writer.count(part.count)
            writer.raw(part.slice)
        }
        return writer.bytes
    }

    /// What stands before the transactions.
    package static func append(
        to writer: inout ByteWriter, origin: ReplicaID, firstSequence: UInt64, count: Int, previousChain: Digest128,
        chain: Digest128
    ) {
        writer.u8(TransactionFormat.batchVersion)
        writer.digest(origin.bits)
        writer.varint(firstSequence)
        writer.count(count)
        writer.digest(previousChain)
        writer.digest(chain)
    }

    /// Reads a batch; its chain is not computed, see ``isSound``.
    package init(_ bytes: [UInt8]) throws(StorageError) {
        var reader = ByteReader(bytes)
        let version = try reader.u8()
        guard version == TransactionFormat.batchVersion else { throw .newerVersion("a batch of version \(version)", offset: 0) }
        origin = ReplicaID(try reader.digest())
        firstSequence = try reader.varint()
        let count = try reader.count(max: bytes.count, minimumSize: 1 + TransactionFormat.minimumPart)
        guard firstSequence > 0, count > 0, firstSequence < TransactionFormat.numberLimit else {
            throw reader.failure("a batch without transactions, or with an impossible sequence")
        }
        previousChain = try reader.digest()
        chain = try reader.digest()
        var parts: [PartBytes] = []
        parts.reserveCapacity(count)
        for _ in 0..<count {
            let length = try reader.count(max: TransactionFormat.maximumPart)
            parts.append(PartBytes(bytes, reader.position..<reader.position + length))
            try reader.skip(length)
        }
        transactions = parts
        try reader.expectEnd()
    }

    /// Whether the transactions are those that the chain after them proves.
    package var isSound: Bool { transactions.reduce(previousChain) { Chain.step($0, $1) } == chain }
}
