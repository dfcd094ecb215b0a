import Storage

/// How far the frames of a stage file are as they must be.
struct StageWalk {
    private var parts: OpenParts?
    private var link: UInt64 = 0
    private var isEnded = false
    /// Behind the last frame.
    private(set) var end = SegmentFormat.stageFramesStart
    /// Frames could not be read, so that order proves nothing any more.
    var isBroken = false

    /// Takes the next frame.
    mutating func take(_ header: FrameHeader, _ body: PartBody, at offset: UInt64, to frameEnd: UInt64) throws(StorageError) {
        let isFirst = offset == SegmentFormat.stageFramesStart
        if isFirst { parts = try OpenParts(body) }
        let isPlaced = !isEnded && header.link == link && (parts?.isFollowed(by: body) ?? false)
        let isMarked =
            header.kind == .part && header.group == 1 && header.transactions == (body.isLast ? 1 : 0)
            && header.flags.contains(.firstOfGroup) == isFirst && header.flags.contains(.lastOfGroup) == body.isLast
        guard isBroken || (isPlaced && isMarked) else { throw .malformed("a part where it does not belong") }
        parts?.digests.append(body.part.digest)
        (end, link, isEnded) = (frameEnd, header.checksum, body.isLast)
    }

    /// Whether the parts are those that were committed, to the last byte of the file.
    func isComplete(for commit: StageCommit) -> Bool {
        guard let parts, isEnded, end == commit.length, !parts.isVoid else { return false }
        return parts.origin == commit.origin && parts.sequence == commit.sequence
            && parts.previousChain == commit.previousChain && parts.timestamp == commit.timestamp
            && UInt64(parts.digests.count) == commit.parts && parts.chain == commit.chain
    }
}
