package import Storage

/// The chain of digests over an origin's transactions (SPEC.md, 3.3): a value proves every byte of the origin up to a sequence.
package enum Chain {
    /// The chain of an origin before its first transaction.
    package static func start(dataset: DatasetID, origin: ReplicaID) -> Digest128 {
        var writer = ByteWriter(capacity: 64)
        writer.raw(Array("strandline-chain-1".utf8))
        writer.digest(dataset.bits)
        writer.digest(origin.bits)
        return Checksum.xxh3Wide(writer.bytes.span)
    }

    /// The chain after a transaction of one part.
    package static func step(_ previous: Digest128, _ part: PartBytes) -> Digest128 { step(previous, digests: [part.digest]) }

    /// The chain after a transaction, from the digests of its parts in order.
    package static func step(_ previous: Digest128, digests: [Digest128]) -> Digest128 {
        var writer = ByteWriter(capacity: 16 * (digests.count + 1))
        writer.digest(previous)
        for digest in digests { writer.digest(digest) }
        return Checksum.xxh3Wide(writer.bytes.span)
    }
}
