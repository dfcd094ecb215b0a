package import Storage

/// What tells one baseline from others: a hash over the digests of its bodies, in order, and the dataset.
package enum BaselineIdentity {
    package static func of(_ digests: some Collection<Digest128>, dataset: DatasetID) -> Digest128 {
        var writer = ByteWriter(capacity: 64 + digests.count * 16)
        writer.raw(Array("strandline-baseline-1".utf8))
        writer.digest(dataset.bits)
        writer.u64(UInt64(digests.count))
        for digest in digests { writer.digest(digest) }
        return Checksum.xxh3Wide(writer.bytes.span)
    }
}
