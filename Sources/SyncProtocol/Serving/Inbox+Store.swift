import EventLog

extension Inbox {
    /// Stores all that waits of one session, durably.
    ///
    /// - Parameter turn: runs what takes transactions and baselines into the log: the place to wait for the store's writer.
    /// - Returns: what the session is to be told.
    /// - Throws: as ``take(_:isPart:bulk:)``, ``joinBaseline()`` and the blobs; then the session is to be ended.
    package mutating func store(
        _ work: [PeerLink.Waiting], _ blobs: any BlobExchange, in turn: (_ body: () throws -> Void) throws -> Void
    ) throws -> [SessionInput] {
        var answers: [SessionInput] = []
        var hasFrames = false
        for item in work {
            switch item {
            case .frame: hasFrames = true
            case .blob(let message, let bulk):
                answers.append(.blobStored(bulk: bulk, complete: try blobs.store(message)))
            case .keep(let number, let wanted): answers.append(.blobsKept(number: number, try blobs.keep(wanted)))
            case .offer(let offer): if let answer = try prepare(offer) { answers.append(answer) }
            case .baseline(let piece, let bulk): if let answer = try take(piece, bulk: bulk) { answers.append(answer) }
            }
        }
        guard hasFrames || isBaselineWhole else { return answers }
        try turn {
            for case .frame(let frame, let isPart, let bulk) in work { try take(frame, isPart: isPart, bulk: bulk) }
            try flush()
            if isBaselineWhole { answers.append(try joinBaseline()) }
        }
        let (stored, lacking) = settle()
        blobs.want(lacking)
        if stored.frames > 0 { answers.insert(.stored(stored), at: 0) }
        return answers
    }
}
