package import EventLog

/// The blobs of a store as one session sees them.
package protocol BlobExchange: Sendable {
    /// The peer has introduced itself.
    func meet(_ peer: ReplicaID)
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
    /// Keeps blobs for the peer, durably; those that are here and not about to leave.
    func keep(_ blobs: [BlobReference]) throws -> [BlobID]
    /// The peer said what it has.
    func note(_ news: BlobNews)
    /// The session is over: what was chosen and has not come may be asked of others.
    func end()
}
