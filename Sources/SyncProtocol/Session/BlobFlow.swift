// Invariants
// * `asked` are the ranges under way from the peer, in the order they were asked; what comes belongs to the first.

import EventLog

/// The blobs that one side asks of the other, in both directions.
struct BlobFlow {
    /// Ranges that may be under way at once, in either direction.
    static let limit = 4

    /// A range on its way here, and what of it has come.
    private struct Asked {
        var range: BlobRange
        var nextHash: UInt64
        var nextChunk: UInt64

        init(_ range: BlobRange) {
            self.range = range
            nextHash = range.wantsHashes ? 0 : range.chunkCount
            nextChunk = range.chunks.lowerBound
        }

        var isComplete: Bool { nextHash == range.chunkCount && nextChunk == range.chunks.upperBound }
    }

    private var asked: [Asked] = []
    /// What the peer asked for and has not got yet.
    private(set) var serving: [BlobRange] = []
    /// There may be more to ask for.
    var mayLack = false
    /// It is time to look whether there is, for others may have given some up.
    var mustLook = false
    var isChoosing = false
    var isReading = false
    private var storing = 0
    /// Questions of the peer, whether blobs are kept for it, that have not been answered.
    var keeping = 0

    /// Everything that is wanted is here, or not to be had from this peer.
    var isSettled: Bool { asked.isEmpty && !mayLack && storing == 0 }

    /// How many more ranges may be asked for.
    var room: Int { Self.limit - asked.count }

    mutating func ask(_ range: BlobRange) { asked.append(Asked(range)) }

    /// Checks that hashes or a chunk is what is due.
    mutating func take(_ message: Message) throws(Refusal) {
        guard var first = asked.first else { throw Self.unasked }
        switch message {
        case .blobHashes(let id, let index, let hashes):
            let count = UInt64(hashes.count / BlobFormat.hashSize)
            guard id == first.range.id, index == first.nextHash, index + count <= first.range.chunkCount else {
                throw Self.unasked
            }
            first.nextHash += count
        case .blobChunk(let id, let index, let bytes):
            guard id == first.range.id, index == first.nextChunk, index < first.range.chunks.upperBound,
                first.nextHash == first.range.chunkCount, bytes.count == first.range.size(of: index)
            else { throw Self.unasked }
            first.nextChunk += 1
        default: throw Self.unasked
        }
        if first.isComplete { asked.removeFirst() } else { asked[0] = first }
        storing += 1
    }

    mutating func stored() { storing -= 1 }

    /// The peer does not have a blob.
    mutating func missing(_ id: BlobID) throws(Refusal) {
        guard asked.first?.range.id == id else { throw Self.unasked }
        asked.removeFirst()
    }

    mutating func serve(_ range: BlobRange) throws(Refusal) {
        guard serving.count < Self.limit else {
            throw Refusal(.protocolBroken, "the peer asked for more than \(Self.limit) ranges of blobs at once")
        }
        serving.append(range)
    }

    /// Notes what was read of the first range: `rest` is what is left of it.
    mutating func served(rest: BlobRange?) {
        if let rest { serving[0] = rest } else { serving.removeFirst() }
    }

    /// The peer asks whether blobs are kept for it.
    mutating func keep() throws(Refusal) {
        keeping += 1
        guard keeping <= Self.limit else {
            throw Refusal(.protocolBroken, "the peer asked more than \(Self.limit) times at once to have blobs kept")
        }
    }

    private static let unasked = Refusal(.protocolBroken, "the peer sent bytes of a blob that it was not asked for")
}

extension BlobRange {
    /// Chunks of the whole blob.
    package var chunkCount: UInt64 { (length - 1) / UInt64(BlobFormat.chunkSize) + 1 }

    /// Bytes of a chunk.
    package func size(of index: UInt64) -> Int {
        Int(min(UInt64(BlobFormat.chunkSize), length - index * UInt64(BlobFormat.chunkSize)))
    }
}
