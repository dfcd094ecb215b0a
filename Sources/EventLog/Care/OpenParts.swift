import Storage

/// A transaction of several parts, of which some were read.
struct OpenParts {
    let origin: ReplicaID
    let sequence: UInt64
    let previousChain: Digest128
    let timestamp: Timestamp
    let isVoid: Bool
    var digests: [Digest128] = []

    /// Begins with part 0.
    init(_ body: PartBody) throws(StorageError) {
        let preamble = try PartPreamble(body.part)
        origin = body.origin
        sequence = body.sequence
        previousChain = body.previousChain
        timestamp = preamble.timestamp
        isVoid = preamble.isVoid
    }

    /// Whether `body` is the part that is due.
    func isFollowed(by body: PartBody) -> Bool {
        body.origin == origin && body.sequence == sequence && body.previousChain == previousChain
            && body.number == UInt64(digests.count)
    }

    var chain: Digest128 { Chain.step(previousChain, digests: digests) }
}
