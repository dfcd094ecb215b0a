/// The constants of SPEC.md, section 8.
package enum BlobFormat {
    /// Bytes per chunk; the last chunk of a blob may have fewer.
    package static let chunkSize = 524_288
    /// Bytes of the hash of a chunk.
    package static let hashSize = 32
    /// The longest value that is kept in the log with its bytes.
    package static let inlineLimit = 65_536
    /// The longest blob that is fetched from a peer: 256 GiB, whose hashes take 16 MiB.
    package static let maximumFetched: UInt64 = 1 << 38
    /// What the hash that names a blob begins with.
    static let domain = "strandline-blob-1"
}
