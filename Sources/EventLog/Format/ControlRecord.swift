package import Storage

/// A note of the store to itself, in a control frame: SPEC.md, section 4.6.
package enum ControlRecord: Sendable, Equatable {
    /// Transactions of the branch behind a place are received but not applied.
    case hold(BranchRoot, Hold)
    /// Held transactions up to a place are applied.
    case release(BranchRoot, Hold)
    /// The wall clock when this was written, in milliseconds.
    case clock(UInt64)
    /// The branch splits behind `behind`; what it had further on begins with `continuation`, zero when it had nothing.
    case fork(BranchRoot, behind: BranchPosition, timestamp: Timestamp, continuation: Digest128, first: Digest128)
    /// A baseline that came from elsewhere stands for everything up to its floor; branches that are not as far go there.
    case baseline(Digest128, floor: [FloorPosition])

    package static func encode(_ records: [ControlRecord]) -> [UInt8] {
        var writer = ByteWriter()
        for record in records {
            var body = ByteWriter()
            let kind: UInt8
            switch record {
            case .hold(let root, let hold):
                kind = 1
                root.append(to: &body)
                body.append(hold)
            case .release(let root, let hold):
                kind = 2
                root.append(to: &body)
                body.append(hold)
            case .clock(let milliseconds):
                kind = 3
                body.varint(milliseconds)
            case .fork(let root, let position, let timestamp, let continuation, let first):
                kind = 4
                root.append(to: &body)
                body.append(position)
                body.u64(timestamp.rawValue)
                body.digest(continuation)
                body.digest(first)
            case .baseline(let identity, let floor):
                kind = 5
                body.digest(identity)
                body.append(floor)
            }
            writer.u8(kind)
            writer.count(body.count)
            writer.raw(body.bytes)
        }
        return writer.bytes
    }

    /// - Throws: `malformed`, or `unsupported` for a kind that may not be skipped.
    package static func decode(_ bytes: [UInt8]) throws(StorageError) -> [ControlRecord] {
        var reader = ByteReader(bytes)
        var records: [ControlRecord] = []
        while !reader.isAtEnd {
            let kind = try reader.u8()
            var body = try reader.subReader(try reader.count(max: bytes.count))
            switch kind {
            case 1: records.append(.hold(try BranchRoot(from: &body), try body.hold()))
            case 2: records.append(.release(try BranchRoot(from: &body), try body.hold()))
            case 3: records.append(.clock(try body.varint()))
            case 4:
                records.append(
                    .fork(
                        try BranchRoot(from: &body), behind: try body.position(),
                        timestamp: Timestamp(rawValue: try body.u64()),
                        continuation: try body.digest(), first: try body.digest()))
            case 5: records.append(.baseline(try body.digest(), floor: try body.floorPositions()))
            case 0x80...: continue
            default:
                throw StorageError(
                    .unsupported, "read", detail: "a control record of the unknown kind \(kind); a newer version wrote it")
            }
            try body.expectEnd()
        }
        return records
    }
}

extension ByteWriter {
    /// A sequence and its chain.
    mutating func append(_ position: BranchPosition) {
        varint(position.sequence)
        digest(position.chain)
    }

    fileprivate mutating func append(_ hold: Hold) {
        append(hold.after)
        u64(hold.timestamp.rawValue)
        u64(hold.first.rawValue)
    }
}

extension ByteReader {
    /// A sequence and its chain.
    mutating func position() throws(StorageError) -> BranchPosition {
        let sequence = try varint()
        guard sequence < TransactionFormat.numberLimit else { throw failure("a sequence that no origin reaches") }
        return BranchPosition(sequence: sequence, chain: try digest())
    }

    fileprivate mutating func hold() throws(StorageError) -> Hold {
        Hold(
            after: try position(), timestamp: Timestamp(rawValue: try u64()), first: Timestamp(rawValue: try u64()))
    }
}
