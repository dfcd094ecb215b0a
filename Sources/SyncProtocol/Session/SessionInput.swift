package import EventLog

/// What happens to a session.
package enum SessionInput: Sendable {
    /// Bytes came from the peer.
    case received(ArraySlice<UInt8>)
    /// The peer sends nothing any more.
    case ended
    /// Time has passed; also what comes when output was taken.
    case tick
    /// Where the lines of transactions of this store end, when that has changed.
    case tips([Tip])
    /// What this store lacks of the peer's tips: the answer to ``SessionEffect/compare(_:round:)``.
    case wants([Want], round: UInt32)
    /// What must come before a round can be served; nothing as a rule. The answer to ``SessionEffect/serve(_:round:having:)``.
    case serving(round: UInt32, baselines: [BaselineOffer])
    /// The answer to ``SessionEffect/read(limit:)``.
    case outgoing(Outgoing)
    /// What came is durable: the answer to ``SessionEffect/store(_:isPart:bulk:)``.
    case stored(StoredFrames)
    /// What came from the peer, or what it asks for, cannot be dealt with.
    case refused(Refusal)
    /// The answer to ``SessionEffect/chooseBlobs(_:)``.
    case blobRequests([BlobRange])
    /// The answer to ``SessionEffect/readBlob(_:)``: hashes and chunks of the range, or that it is not here.
    case blobContent([Message], rest: BlobRange?)
    /// Content of a blob is stored: the answer to ``SessionEffect/storeBlob(_:bulk:)``.
    case blobStored(bulk: Int, complete: [BlobID])
    /// The answer to ``SessionEffect/prepareBaseline(_:)``.
    case baselinePrepared(BaselineReadiness)
    /// The answer to ``SessionEffect/storeBaseline(_:bulk:)``; `isJoined` when the baseline is part of the log now, durably.
    case baselineStored(bulk: Int, isJoined: Bool)
    /// The answer to ``SessionEffect/readBaseline(_:body:)``: the body, and which one follows it, or nil.
    case baselineContent([BaselinePiece], next: Int?)
    /// The peer is to be asked whether it keeps blobs that are about to leave.
    case askToKeep(number: UInt32, [BlobReference])
    /// Blobs that are kept for the peer: the answer to ``SessionEffect/keepBlobs(number:_:)``.
    case blobsKept(number: UInt32, [BlobID])
    /// Blobs that are here no longer.
    case blobsGone([BlobID])
    /// The store is to be closed, or the peer is no longer wanted.
    case close
}

/// Frames on their way to the peer.
package struct Outgoing: Sendable {
    package var messages: [Message] = []
    package var transactions = 0
    /// Rounds of which everything was given.
    package var served: [UInt32] = []
    /// Whether there is more to read now.
    package var hasMore = false

    package init() {}
}

/// What became of frames from the peer.
package struct StoredFrames: Sendable {
    package var frames = 0
    /// Bytes of credit that the peer gets back.
    package var bulk = 0
    /// Where the lines end that they moved.
    package var tips: [Tip] = []
    package var received = ReceivedTransactions()
    /// Whether they name blobs that are not here.
    package var lackBlobs = false

    package init() {}
}
