package import EventLog

/// Some chunks of a blob, in a row.
package struct BlobRange: Hashable, Sendable {
    package var id: BlobID
    /// Bytes of the whole blob.
    package var length: UInt64
    package var chunks: Range<UInt64>
    /// Whether the hashes of the chunks are asked for as well, to check each one as it comes.
    package var wantsHashes: Bool
    /// How many of the hashes have been sent; for the one who sends them.
    package var hashed: UInt64 = 0

    package init(id: BlobID, length: UInt64, chunks: Range<UInt64>, wantsHashes: Bool) {
        self.id = id
        self.length = length
        self.chunks = chunks
        self.wantsHashes = wantsHashes
    }
}
