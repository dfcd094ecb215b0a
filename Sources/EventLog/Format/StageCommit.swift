package import Storage

/// The frame by which a staged transaction enters the log: SPEC.md, section 4.5.
package struct StageCommit: Sendable, Equatable {
    package var origin: ReplicaID
    package var sequence: UInt64
    package var previousChain: Digest128, chain: Digest128
    package var timestamp: Timestamp
    package var parts: UInt64
    /// Length of the stage file in bytes.
    package var length: UInt64

    package init(
        origin: ReplicaID, sequence: UInt64, previousChain: Digest128, chain: Digest128, timestamp: Timestamp, parts: UInt64,
        length: UInt64
    ) {
        self.origin = origin
        self.sequence = sequence
        self.previousChain = previousChain
        self.chain = chain
        self.timestamp = timestamp
        self.parts = parts
        self.length = length
    }

    /// The stage file's name in `staged/`.
    package var fileName: String { "\(origin)-\(Digest128.hex(sequence))-\(chain).stage" }

    package func encode() -> [UInt8] {
        var writer = ByteWriter()
        writer.u8(1)
        writer.digest(origin.bits)
        writer.varint(sequence)
        writer.digest(previousChain)
        writer.digest(chain)
        writer.u64(timestamp.rawValue)
        writer.varint(parts)
        writer.varint(length)
        return writer.bytes
    }

    package init(_ bytes: [UInt8]) throws(StorageError) {
        var reader = ByteReader(bytes)
        guard try reader.u8() == 1 else { throw .malformed("a stage commit of an unknown version") }
        origin = ReplicaID(try reader.digest())
        sequence = try reader.varint()
        previousChain = try reader.digest()
        chain = try reader.digest()
        timestamp = Timestamp(rawValue: try reader.u64())
        parts = try reader.varint()
        length = try reader.varint()
        try reader.expectEnd()
        guard sequence > 0, sequence < TransactionFormat.numberLimit else {
            throw .malformed("a stage commit with an impossible sequence")
        }
    }
}
