package import EventLog

/// The blobs of a store as one session sees them.
package protocol BlobExchange: Sendable {
    /// Notes blobs that transactions name and that are not here.
    func want(_ blobs: [BlobReference])
    /// Chooses up to `count` ranges of blobs to ask the peer for; nobody else asks for them meanwhile.
    func choose(_ count: Int) throws -> [BlobRange]
    /// Reads the beginning of a range: its hashes, or a chunk, or that the blob is not here; and what is left.
    func read(_ range: BlobRange) throws -> (messages: [Message], rest: BlobRange?)
    /// Stores hashes or a chunk; the blobs that are whole and durable now.
    func store(_ message: Message) throws -> [BlobID]
    /// The peer does not have a blob.
    func miss(_ id: BlobID)
    /// The session is over: what was chosen and has not come may be asked of others.
    func end()
}
