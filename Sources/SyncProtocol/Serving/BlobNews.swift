package import EventLog

/// What a peer says of the blobs it has.
package enum BlobNews: Hashable, Sendable {
    /// They are whole and durable there.
    case here([BlobID])
    /// They are there no longer.
    case gone([BlobID])
    /// It keeps them: the answer to the question of that number.
    case kept(number: UInt32, [BlobID])
}
