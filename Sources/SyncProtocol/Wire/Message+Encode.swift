import EventLog
package import Storage

extension Message {
    var kind: WireFormat.Kind {
        switch self {
        case .hello: .hello
        case .refusal: .refusal
        case .tips: .tips
        case .want: .want
        case .batch: .batch
        case .part: .part
        case .served: .served
        case .acknowledgement: .acknowledgement
        case .credit: .credit
        case .ping: .ping
        case .pong: .pong
        case .farewell: .farewell
        case .blobWant: .blobWant
        case .blobHashes: .blobHashes
        case .blobChunk: .blobChunk
        case .blobMissing: .blobMissing
        case .blobsHere: .blobsHere
        case .blobsLeaving: .blobsLeaving
        case .blobsKept: .blobsKept
        case .blobsGone: .blobsGone
        case .imported: .imported
        case .baselineOffer: .baselineOffer
        case .baselineWant: .baselineWant
        case .baselinePiece: .baselinePiece
        }
    }

    /// Appends the message as it goes over the wire; returns the bytes of credit it uses up.
    @discardableResult
    package func append(to writer: inout ByteWriter) -> Int {
        let start = writer.count
        writer.u32(0)
        writer.u8(kind.rawValue)
        writer.zeros(3)
        writer.u64(0)
        appendPayload(to: &writer)
        let length = writer.count - start - WireFormat.headerSize
        writer.patch(u32: UInt32(length), at: start)
        let seed = UInt64(length) | UInt64(kind.rawValue) << 32
        let checksum = Checksum.xxh3(writer.bytes.span.extracting((start + WireFormat.headerSize)...), seed: seed)
        writer.patch(u64: checksum, at: start + 8)
        return kind.isBulk ? writer.count - start : 0
    }

    private func appendPayload(to writer: inout ByteWriter) {
        switch self {
        case .hello(let hello): hello.append(to: &writer)
        case .refusal(let refusal): refusal.append(to: &writer)
        case .tips(let tips, let round, let isLast):
            writer.u32(round)
            writer.u8(isLast ? 1 : 0)
            writer.count(tips.count)
            for tip in tips { tip.append(to: &writer) }
        case .want(let wants, let round, let isLast):
            writer.u32(round)
            writer.u8(isLast ? 1 : 0)
            writer.count(wants.count)
            for want in wants { want.append(to: &writer) }
        case .batch(let frame), .part(let frame): frame.append(to: &writer)
        case .served(let round): writer.u32(round)
        case .acknowledgement(let frames, let tips):
            writer.varint(frames)
            writer.count(tips.count)
            for tip in tips { tip.append(to: &writer) }
        case .imported(let round, let frames):
            writer.u32(round)
            writer.varint(frames)
        case .credit(let bytes): writer.u32(bytes)
        case .ping(let number), .pong(let number): writer.u64(number)
        case .farewell: break
        case .baselineOffer, .baselineWant, .baselinePiece: appendBaselines(to: &writer)
        default: appendBlobs(to: &writer)
        }
    }

    private func appendBaselines(to writer: inout ByteWriter) {
        switch self {
        case .baselineOffer(let stretch, let round, let isLast):
            writer.u32(round)
            writer.u8(isLast ? 1 : 0)
            writer.digest(stretch.identity)
            writer.count(stretch.bodies)
            writer.count(stretch.first)
            for digest in stretch.digests { writer.digest(digest) }
        case .baselineWant(let identity, let body):
            writer.digest(identity)
            writer.count(body)
        case .baselinePiece(let piece):
            writer.digest(piece.identity)
            writer.count(piece.body)
            writer.u8(piece.isCompressed ? 1 : 0)
            writer.count(piece.logicalSize)
            writer.count(piece.storedSize)
            writer.count(piece.offset)
            writer.raw(piece.bytes)
        default: break
        }
    }

    private func appendBlobs(to writer: inout ByteWriter) {
        switch self {
        case .blobWant(let range): range.append(to: &writer)
        case .blobHashes(let id, let first, let hashes):
            id.append(to: &writer)
            writer.varint(first)
            writer.raw(hashes)
        case .blobChunk(let id, let index, let bytes):
            id.append(to: &writer)
            writer.varint(index)
            writer.raw(bytes)
        case .blobMissing(let id): id.append(to: &writer)
        case .blobsHere(let ids), .blobsGone(let ids): ids.append(to: &writer)
        case .blobsLeaving(let number, let blobs):
            writer.u32(number)
            writer.count(blobs.count)
            for blob in blobs {
                blob.id.append(to: &writer)
                writer.varint(blob.length)
            }
        case .blobsKept(let number, let ids):
            writer.u32(number)
            ids.append(to: &writer)
        default: break
        }
    }
}

extension Hello {
    fileprivate func append(to writer: inout ByteWriter) {
        writer.u16(versions.lowerBound)
        writer.u16(versions.upperBound)
        writer.u64(features.rawValue)
        writer.u64(required.rawValue)
        writer.digest(dataset.bits)
        writer.digest(replica.bits)
        writer.u64(nonce)
        writer.u64(clock)
        writer.u8(wishes.rawValue)
        writer.u32(credit)
        writer.string(name)
    }
}

extension Refusal {
    fileprivate func append(to writer: inout ByteWriter) {
        writer.u8(code.rawValue)
        writer.u16(versions.lowerBound)
        writer.u16(versions.upperBound)
        writer.string(reason)
    }
}

extension BranchPosition {
    fileprivate func append(to writer: inout ByteWriter) {
        writer.varint(sequence)
        writer.digest(chain)
    }
}

extension Tip {
    func append(to writer: inout ByteWriter) {
        writer.digest(origin.bits)
        position.append(to: &writer)
    }
}

extension Want {
    fileprivate func append(to writer: inout ByteWriter) {
        tip.append(to: &writer)
        writer.count(locators.count)
        for locator in locators { locator.append(to: &writer) }
    }
}

extension PackedFrame {
    fileprivate func append(to writer: inout ByteWriter) {
        writer.u8(isCompressed ? 1 : 0)
        writer.count(transactions)
        writer.count(logicalLength)
        writer.raw(stored)
    }
}

extension BlobID {
    fileprivate func append(to writer: inout ByteWriter) {
        writer.digest(high)
        writer.digest(low)
    }
}

extension [BlobID] {
    fileprivate func append(to writer: inout ByteWriter) {
        writer.count(count)
        for id in self { id.append(to: &writer) }
    }
}

extension BlobRange {
    fileprivate func append(to writer: inout ByteWriter) {
        id.append(to: &writer)
        writer.varint(length)
        writer.varint(chunks.lowerBound)
        writer.varint(chunks.upperBound)
        writer.u8(wantsHashes ? 1 : 0)
    }
}
