package import Storage

/// The names of forked branches (SPEC.md, 5.8).
package enum ForkName {
    /// The name of the branch that leaves `branch` with `chain` at `sequence`.
    package static func derive(from branch: ReplicaID, sequence: UInt64, chain: Digest128) -> ReplicaID {
        var writer = ByteWriter(capacity: 64)
        writer.raw(Array("strandline-fork-1".utf8))
        writer.digest(branch.bits)
        writer.u64(sequence)
        writer.digest(chain)
        return ReplicaID(Checksum.xxh3Wide(writer.bytes.span))
    }
}
