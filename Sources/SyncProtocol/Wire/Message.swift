package import EventLog
package import Storage

/// What the two sides of a session say to each other: SPEC.md, section 13.
package enum Message: Hashable, Sendable {
    case hello(Hello)
    /// Ends the session.
    case refusal(Refusal)
    /// Where lines of transactions of this side end; `isLast` ends the round.
    case tips([Tip], round: UInt32, isLast: Bool)
    /// What this side lacks of a round's tips; `isLast` ends the answer.
    case want([Want], round: UInt32, isLast: Bool)
    case batch(PackedFrame)
    case part(PackedFrame)
    /// Everything that was wanted of a round has been sent.
    case served(round: UInt32)
    /// As many batches and parts of this session are durable here by now; the tips say where lines of transactions end that they moved.
    case acknowledgement(frames: UInt64, [Tip])
    /// Everything that was wanted of the rounds up to this one, and of as many frames, is durable here, and so are the blobs that are
    /// wanted, as far as the peer has them.
    case imported(round: UInt32, frames: UInt64)
    /// As many more bytes of bulk messages may be sent.
    case credit(UInt32)
    case ping(UInt64)
    case pong(UInt64)
    /// Ends the session: this side has what it came for.
    case farewell
    case blobWant(BlobRange)
    /// The SHA-256 of each chunk from `first` on.
    case blobHashes(BlobID, first: UInt64, ArraySlice<UInt8>)
    case blobChunk(BlobID, index: UInt64, ArraySlice<UInt8>)
    /// The blob is not here, or not readable.
    case blobMissing(BlobID)
    /// Blobs that are whole and durable here.
    case blobsHere([BlobID])
    /// What is wanted of a round lies below the floor: these baselines come first, and then the round may be wanted again. `isLast` ends
    /// the last of them.
    case baselineOffer(BaselineOffer.Stretch, round: UInt32, isLast: Bool)
    /// The bodies of a baseline from one on.
    case baselineWant(Digest128, from: Int)
    case baselinePiece(BaselinePiece)
    /// Asks whether the other side keeps these, so that this side may remove its own.
    case blobsLeaving(number: UInt32, [BlobReference])
    /// Those of a question that this side has, and keeps for the other.
    case blobsKept(number: UInt32, [BlobID])
    /// Blobs that are here no longer.
    case blobsGone([BlobID])
}
