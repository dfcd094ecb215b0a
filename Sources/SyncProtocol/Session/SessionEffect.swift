package import EventLog
package import Storage

/// What a session asks of the one who runs it.
///
/// Each is answered by the input named with it, in the order they were asked; a session has at most one of a kind under way, except for
/// what it asks to be stored.
package enum SessionEffect: Sendable, Equatable {
    /// Find out what of these tips the log lacks: ``SessionInput/wants(_:round:)``.
    case compare([Tip], round: UInt32)
    /// The peer wants this, and more of the round follows; without answer.
    case gather([Want])
    /// The peer wants this as well, and has these baselines: ``SessionInput/serving(round:baselines:)``. ``read(limit:)`` gives it from now on,
    /// unless there are baselines that must come first.
    case serve([Want], round: UInt32, having: Set<Digest128>)
    /// Own transactions behind this one are wanted as they are committed: ``read(limit:)`` gives them, too. Without answer.
    case follow(after: BranchPosition?)
    /// Read what is to be sent, about as many bytes: ``SessionInput/outgoing(_:)``.
    case read(limit: Int)
    /// Make what came durable: ``SessionInput/stored(_:)``, for several at once if need be, or ``SessionInput/refused(_:)``.
    case store(PackedFrame, isPart: Bool, bulk: Int)
    /// The peer has these transactions. Without answer.
    case acknowledged([Tip])
    /// Choose up to as many ranges of blobs that are lacking: ``SessionInput/blobRequests(_:)``.
    case chooseBlobs(Int)
    /// Read the beginning of a range: ``SessionInput/blobContent(_:rest:)``.
    case readBlob(BlobRange)
    /// Store hashes or a chunk: ``SessionInput/blobStored(bulk:complete:)``.
    case storeBlob(Message, bulk: Int)
    /// Find out how much of a baseline is here: ``SessionInput/baselinePrepared(_:)``.
    case prepareBaseline(BaselineOffer)
    /// Store a piece of it, and join the baseline when it is whole: ``SessionInput/baselineStored(bulk:isJoined:)``.
    case storeBaseline(BaselinePiece, bulk: Int)
    /// Read a body of a baseline: ``SessionInput/baselineContent(_:next:)``.
    case readBaseline(Digest128, body: Int)
    /// The peer does not have the blob. Without answer.
    case missBlob(BlobID)
    /// Keep blobs for the peer, durably, as far as they are here: ``SessionInput/blobsKept(number:_:)``.
    case keepBlobs(number: UInt32, [BlobReference])
    /// The peer said which blobs it has, or keeps. Without answer.
    case noteBlobs(BlobNews)
}
