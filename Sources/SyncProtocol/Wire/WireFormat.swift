import EventLog

/// The numbers of the protocol that both ends share: SPEC.md, section 13.
package enum WireFormat {
    /// What each side sends first, before any message.
    package static let preface: [UInt8] = Array("STRDSYN1".utf8)
    /// The versions of the protocol that this program speaks.
    package static let versions: ClosedRange<UInt16> = 1...1

    /// Bytes before the payload of a message.
    package static let headerSize = 16
    /// The payload of the longest message: a frame that LZ4 could not make smaller, and what stands before it.
    package static let maximumPayload = SegmentFormat.frameLimit + 65_536
    /// Bytes that a frame may have beyond the logical limit, for what stands before its transactions.
    static let frameSlack = 4_096
    /// The payload of the longest message before the other side is known to be one of us.
    package static let maximumGreeting = 4_096

    /// Positions in a message of tips or acknowledgements.
    package static let tipsPerMessage = 8_192
    /// Branches that a peer may have.
    package static let maximumTips = 100_000
    package static let maximumLocators = 256
    /// Chunks whose hashes fit in a message.
    package static let hashesPerMessage = 16_384
    /// Digests of bodies in a message that offers a baseline; those of all baselines of an offer, and how many baselines that is.
    package static let digestsPerMessage = 32_768
    package static let maximumDigests = 1 << 18
    package static let maximumOffers = 256
    /// Bytes of a body of a baseline in one message.
    package static let pieceSize = 512 << 10
    /// Blobs that may be about to leave at once, in either direction.
    package static let mostLeaving = 64
    /// Bytes of a text: a name, or the reason of a refusal.
    package static let maximumText = 1_024

    /// Kinds of messages.
    enum Kind: UInt8 {
        case hello = 1
        case refusal = 2
        case tips = 3
        case want = 4
        case batch = 5
        case part = 6
        case served = 7
        case acknowledgement = 8
        case credit = 9
        case ping = 10
        case pong = 11
        case farewell = 12
        case blobWant = 13
        case blobHashes = 14
        case blobChunk = 15
        case blobMissing = 16
        case blobsHere = 17
        case imported = 18
        case baselineOffer = 19
        case baselineWant = 20
        case baselinePiece = 21
        case blobsLeaving = 25
        case blobsKept = 26
        case blobsGone = 27

        /// Whether messages of this kind use up credit.
        var isBulk: Bool {
            switch self {
            case .batch, .part, .blobHashes, .blobChunk, .baselinePiece: true
            default: false
            }
        }
    }

    /// Messages of unknown kinds with this bit are passed over.
    static let skippableBit: UInt8 = 0x80
}
