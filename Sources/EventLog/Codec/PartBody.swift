package import Storage

/// One part of a transaction of several, as it is stored and exchanged: SPEC.md, section 3.5.
package struct PartBody: Sendable {
    package let origin: ReplicaID
    package let sequence: UInt64
    /// From 0.
    package let number: UInt64
    package let isLast: Bool
    /// The origin's chain before the transaction, and after it in the last part.
    package let previousChain: Digest128, chain: Digest128
    package let part: PartBytes

    package init(
        origin: ReplicaID, sequence: UInt64, number: UInt64, isLast: Bool, previousChain: Digest128, chain: Digest128,
        part: PartBytes
    ) {
        self.origin = origin
        self.sequence = sequence
        self.number = number
        self.isLast = isLast
        self.previousChain = previousChain
        self.chain = isLast ? chain : .zero
        self.part = part
    }

    package func encode() -> [UInt8] {
        var writer = ByteWriter(capacity: part.count + 80)
        writer.u8(TransactionFormat.partVersion)
        writer.digest(origin.bits)
        writer.varint(sequence)
        writer.varint(number)
        writer.u8(isLast ? 1 : 0)
        writer.digest(previousChain)
        writer.digest(chain)
        writer.raw(part.slice)
        return writer.bytes
    }

    package init(_ bytes: [UInt8]) throws(StorageError) {
        var reader = ByteReader(bytes)
        let version = try reader.u8()
        guard version == TransactionFormat.partVersion else { throw .newerVersion("a part of version \(version)", offset: 0) }
        origin = ReplicaID(try reader.digest())
        sequence = try reader.varint()
        number = try reader.varint()
        let last = try reader.u8()
        guard last <= 1 else { throw reader.failure("a part that is neither the last nor not the last") }
        isLast = last == 1
        previousChain = try reader.digest()
        chain = try reader.digest()
        guard sequence > 0, sequence < TransactionFormat.numberLimit,
            reader.remaining <= TransactionFormat.maximumPart, isLast || chain == .zero
        else {
            throw reader.failure("a part with an impossible sequence, length or chain")
        }
        part = PartBytes(bytes, reader.position..<bytes.count)
    }
}
