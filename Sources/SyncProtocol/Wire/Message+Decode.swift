import EventLog
import Storage

extension Message {
    /// Reads the payload of a message of a known kind.
    ///
    /// - Throws: `malformed` where a rule is broken; every count is checked against the bytes that are there.
    init(_ kind: WireFormat.Kind, _ payload: [UInt8]) throws(StorageError) {
        var reader = ByteReader(payload)
        switch kind {
        case .hello: self = .hello(try Hello(from: &reader))
        case .refusal: self = .refusal(try Refusal(from: &reader))
        case .tips:
            let round = try reader.u32()
            let isLast = try reader.flag()
            self = .tips(try reader.tips(), round: round, isLast: isLast)
        case .want:
            let round = try reader.u32()
            let isLast = try reader.flag()
            let count = try reader.count(max: WireFormat.tipsPerMessage, minimumSize: 34)
            var wants: [Want] = []
            wants.reserveCapacity(count)
            for _ in 0..<count { wants.append(try Want(from: &reader)) }
            self = .want(wants, round: round, isLast: isLast)
        case .batch: self = .batch(try PackedFrame(from: &reader, isPart: false))
        case .part: self = .part(try PackedFrame(from: &reader, isPart: true))
        case .served: self = .served(round: try reader.u32())
        case .acknowledgement:
            let frames = try reader.varint()
            self = .acknowledgement(frames: frames, try reader.tips())
        case .imported: self = .imported(round: try reader.u32(), frames: try reader.varint())
        case .credit: self = .credit(try reader.u32())
        case .ping: self = .ping(try reader.u64())
        case .pong: self = .pong(try reader.u64())
        case .farewell: self = .farewell
        case .blobWant: self = .blobWant(try BlobRange(from: &reader))
        case .blobHashes: self = try Self.hashes(from: &reader)
        case .blobChunk: self = try Self.chunk(from: &reader)
        case .blobMissing: self = .blobMissing(try reader.blobID())
        case .baselineOffer: self = try Self.baselineOffer(from: &reader)
        case .baselineWant:
            let identity = try reader.digest()
            self = .baselineWant(identity, from: try reader.count(below: BaselineFormat.maximumBodies))
        case .baselinePiece: self = .baselinePiece(try BaselinePiece(from: &reader))
        case .blobsHere: self = .blobsHere(try reader.blobIDs(WireFormat.tipsPerMessage))
        case .blobsGone: self = .blobsGone(try reader.blobIDs(WireFormat.tipsPerMessage))
        case .blobsKept: self = .blobsKept(number: try reader.u32(), try reader.blobIDs(WireFormat.mostLeaving))
        case .blobsLeaving:
            let number = try reader.u32()
            var blobs: [BlobReference] = []
            for _ in 0..<(try reader.count(max: WireFormat.mostLeaving, minimumSize: 33)) {
                blobs.append(BlobReference(id: try reader.blobID(), length: try reader.varint()))
            }
            self = .blobsLeaving(number: number, blobs)
        }
        try reader.expectEnd()
    }

    private static func baselineOffer(from reader: inout ByteReader) throws(StorageError) -> Message {
        let round = try reader.u32()
        let isLast = try reader.flag()
        let identity = try reader.digest()
        let bodies = try reader.count(below: BaselineFormat.maximumBodies + 1)
        let first = try reader.count(below: bodies)
        let size = reader.remaining
        guard size > 0, size.isMultiple(of: 16), size / 16 <= min(WireFormat.digestsPerMessage, bodies - first) else {
            throw reader.failure("\(size) bytes of digests of \(bodies) bodies")
        }
        var digests: [Digest128] = []
        digests.reserveCapacity(size / 16)
        for _ in 0..<size / 16 { digests.append(try reader.digest()) }
        return .baselineOffer(
            BaselineOffer.Stretch(identity: identity, bodies: bodies, first: first, digests: digests[...]), round: round,
            isLast: isLast)
    }

    private static func hashes(from reader: inout ByteReader) throws(StorageError) -> Message {
        let id = try reader.blobID()
        let first = try reader.varint()
        let size = reader.remaining
        guard size > 0, size.isMultiple(of: BlobFormat.hashSize), size / BlobFormat.hashSize <= WireFormat.hashesPerMessage
        else {
            throw reader.failure("\(size) bytes of hashes")
        }
        return .blobHashes(id, first: first, try reader.bytes(size))
    }

    private static func chunk(from reader: inout ByteReader) throws(StorageError) -> Message {
        let id = try reader.blobID()
        let index = try reader.varint()
        let size = reader.remaining
        guard size > 0, size <= BlobFormat.chunkSize else { throw reader.failure("a chunk of \(size) bytes") }
        return .blobChunk(id, index: index, try reader.bytes(size))
    }
}

extension ByteReader {
    fileprivate mutating func flag() throws(StorageError) -> Bool {
        let byte = try u8()
        guard byte <= 1 else { throw failure("a flag that is neither 0 nor 1") }
        return byte == 1
    }

    /// A number below a limit.
    fileprivate mutating func count(below limit: Int) throws(StorageError) -> Int {
        let number = try varint()
        guard number < UInt64(limit) else { throw failure("\(number) where less than \(limit) is due") }
        return Int(number)
    }

    fileprivate mutating func branchPosition() throws(StorageError) -> BranchPosition {
        let sequence = try varint()
        guard sequence < TransactionFormat.numberLimit else { throw failure("sequence \(sequence)") }
        return BranchPosition(sequence: sequence, chain: try digest())
    }

    mutating func tip() throws(StorageError) -> Tip {
        let origin = ReplicaID(try digest())
        let position = try branchPosition()
        guard position.sequence > 0 else { throw failure("a line of transactions that ends before it begins") }
        return Tip(origin: origin, position: position)
    }

    fileprivate mutating func tips() throws(StorageError) -> [Tip] {
        let count = try count(max: WireFormat.tipsPerMessage, minimumSize: 33)
        var tips: [Tip] = []
        tips.reserveCapacity(count)
        for _ in 0..<count { tips.append(try tip()) }
        return tips
    }

    fileprivate mutating func versions() throws(StorageError) -> ClosedRange<UInt16> {
        let low = try u16()
        let high = try u16()
        guard low <= high else { throw failure("versions from \(low) to \(high)") }
        return low...high
    }

    fileprivate mutating func blobIDs(_ most: Int) throws(StorageError) -> [BlobID] {
        let count = try count(max: most, minimumSize: 32)
        var ids: [BlobID] = []
        for _ in 0..<count { ids.append(try blobID()) }
        return ids
    }

    fileprivate mutating func blobID() throws(StorageError) -> BlobID {
        BlobID(high: try digest(), low: try digest())
    }
}

extension Hello {
    fileprivate init(from reader: inout ByteReader) throws(StorageError) {
        let versions = try reader.versions()
        let features = Features(rawValue: try reader.u64())
        let required = Features(rawValue: try reader.u64())
        self.init(
            dataset: DatasetID(try reader.digest()), replica: ReplicaID(try reader.digest()), nonce: try reader.u64(),
            clock: try reader.u64(), wishes: Wishes(rawValue: try reader.u8()), credit: try reader.u32(),
            name: try reader.string(max: WireFormat.maximumText))
        self.versions = versions
        self.features = features
        self.required = required
        // What later versions say behind this is for those who know it.
        if versions.upperBound > WireFormat.versions.upperBound { try reader.skip(reader.remaining) }
    }
}

extension Refusal {
    fileprivate init(from reader: inout ByteReader) throws(StorageError) {
        let number = try reader.u8()
        let versions = try reader.versions()
        // The reason says what a code of a later version means.
        self.init(Code(rawValue: number) ?? .failed, try reader.string(max: WireFormat.maximumText))
        self.versions = versions
    }
}

extension Want {
    fileprivate init(from reader: inout ByteReader) throws(StorageError) {
        let tip = try reader.tip()
        let count = try reader.count(max: WireFormat.maximumLocators, minimumSize: 17)
        var locators: [BranchPosition] = []
        locators.reserveCapacity(count)
        for _ in 0..<count { locators.append(try reader.branchPosition()) }
        self.init(tip: tip, locators: locators)
    }
}

extension PackedFrame {
    fileprivate init(from reader: inout ByteReader, isPart: Bool) throws(StorageError) {
        let isCompressed = try reader.flag()
        let transactions = try reader.varint()
        let logicalLength = try reader.varint()
        let size = reader.remaining
        // LZ4 makes nothing more than 255 times smaller; what claims to be larger only wants memory.
        let most = isCompressed ? min(SegmentFormat.frameLimit + WireFormat.frameSlack, 255 * size + 64) : size
        guard size > 0, logicalLength > 0, logicalLength <= UInt64(most), isCompressed || logicalLength == UInt64(size) else {
            throw reader.failure("a frame of \(size) bytes that claims to be \(logicalLength)")
        }
        guard isPart == (transactions == 0), transactions <= logicalLength else {
            throw reader.failure("a frame that claims \(transactions) transactions")
        }
        self.init(
            isCompressed: isCompressed, transactions: Int(transactions), logicalLength: Int(logicalLength),
            stored: try reader.bytes(size))
    }
}

extension BlobRange {
    fileprivate init(from reader: inout ByteReader) throws(StorageError) {
        let id = try reader.blobID()
        let length = try reader.varint()
        let first = try reader.varint()
        let end = try reader.varint()
        guard length > 0, first < end, end <= (length - 1) / UInt64(BlobFormat.chunkSize) + 1 else {
            throw reader.failure("chunks \(first) to \(end) of a blob of \(length) bytes")
        }
        self.init(id: id, length: length, chunks: first..<end, wantsHashes: try reader.flag())
    }
}

extension BaselinePiece {
    fileprivate init(from reader: inout ByteReader) throws(StorageError) {
        let identity = try reader.digest()
        let body = try reader.count(below: BaselineFormat.maximumBodies)
        let isCompressed = try reader.flag()
        let logicalSize = try reader.count(below: BaselineFormat.maximumBody + 1)
        let storedSize = try reader.count(below: BaselineFormat.maximumBody + 1)
        let offset = try reader.count(below: storedSize)
        let size = reader.remaining
        guard size > 0, size <= min(WireFormat.pieceSize, storedSize - offset),
            isCompressed ? logicalSize <= 255 * storedSize + 64 : logicalSize == storedSize
        else {
            throw reader.failure("\(size) bytes of a body of \(storedSize) that claims to be \(logicalSize)")
        }
        self.init(
            identity: identity, body: body, isCompressed: isCompressed, logicalSize: logicalSize, storedSize: storedSize,
            offset: offset, bytes: try reader.bytes(size))
    }
}
