/// Where the bytes of stored blobs are read from: the store that a fetched handle came from.
package protocol BlobSource: Sendable {
    /// The bytes of `range` of a stored blob, which lies within its length.
    /// - Throws: when the blob is not on this replica, or cannot be read.
    func read(_ reference: BlobReference, range: Range<UInt64>) throws -> [UInt8]
}

/// What takes in new content: the transaction that an object is written by.
package protocol BlobIngest {
    /// Stores content and names it. Called once for each blob property that is new or changed.
    func ingest(_ content: Blob.Content) throws -> BlobReference
}
