// Invariants
// * `position` is that of the last whole transaction given out, proved by chains from the header's `before`; parts of an unfinished
//   transaction are counted in `parts`.
// * At most one frame is in memory.

import EventLog
import Storage

/// Reads an exchange file from front to end, checking all there is to check.
struct ExchangeReader {
    /// What a frame holds.
    enum Item {
        case batch(Batch, Frame)
        case part(PartBody, Frame)
    }

    let header: ExchangeHeader
    private let file: any File
    private var frames: FrameWalk
    private var position: BranchPosition
    private var parts: [Digest128] = []

    /// - Throws: ``ExchangeDamage`` when the header is not valid, the file is of another dataset, or not all of it is there.
    init(_ path: String, in fileSystem: any FileSystem, dataset: DatasetID) throws(ExchangeDamage) {
        let file = try ExchangeDamage.wrap { () throws(StorageError) in try fileSystem.open(path, .read) }
        self.file = file
        let bytes = try ExchangeDamage.wrap { () throws(StorageError) in
            try file.bytes(at: 0, count: ExchangeFormat.headerSize)
        }
        header = try ExchangeHeader(bytes)
        position = header.stretch.start
        guard header.dataset == dataset else { throw ExchangeDamage("it belongs to dataset \(header.dataset)") }
        frames = try FrameWalk(file, salt: header.salt, end: header.length)
    }

    /// Where the frame last read begins.
    var frameOffset: UInt64 { frames.frameOffset }

    func close() { file.close() }

    /// The next batch or part, or nil behind the last; then the file has proved to be what its header says.
    mutating func next() throws(ExchangeDamage) -> Item? {
        guard !frames.isAtEnd else {
            guard parts.isEmpty, position == header.stretch.end else {
                throw ExchangeDamage(
                    "it ends before transaction \(header.stretch.last) of \(header.stretch.origin)", at: header.length)
            }
            return nil
        }
        let frame = try frames.next([.batch, .part])
        switch frame.header.kind {
        case .batch: return .batch(try batch(frame), frame)
        default: return .part(try part(frame), frame)
        }
    }

    private mutating func batch(_ frame: Frame) throws(ExchangeDamage) -> Batch {
        let batch = try ExchangeDamage.wrap(at: frameOffset) { () throws(StorageError) in
            let batch = try Batch(try frame.body())
            for part in batch.transactions { _ = try PartPreamble(part) }
            return batch
        }
        let before = BranchPosition(sequence: batch.firstSequence - 1, chain: batch.previousChain)
        guard parts.isEmpty, batch.origin == header.stretch.origin, before == position, batch.isSound,
            batch.lastSequence <= header.stretch.last, Int(frame.header.transactions) == batch.transactions.count
        else { throw ExchangeDamage("transactions that do not follow those before", at: frameOffset) }
        position = BranchPosition(sequence: batch.lastSequence, chain: batch.chain)
        return batch
    }

    private mutating func part(_ frame: Frame) throws(ExchangeDamage) -> PartBody {
        let body = try ExchangeDamage.wrap(at: frameOffset) { () throws(StorageError) in
            let body = try PartBody(try frame.body())
            if body.number == 0 { _ = try PartPreamble(body.part) }
            return body
        }
        parts.append(body.part.digest)
        let follows =
            body.origin == header.stretch.origin && body.sequence == position.sequence + 1
            && body.sequence <= header.stretch.last && body.previousChain == position.chain
            && body.number == UInt64(parts.count - 1)
        let isWhole = !body.isLast || Chain.step(position.chain, digests: parts) == body.chain
        guard follows, isWhole else {
            throw ExchangeDamage("a part of a transaction that does not follow those before", at: frameOffset)
        }
        if body.isLast {
            position = BranchPosition(sequence: body.sequence, chain: body.chain)
            parts = []
        }
        return body
    }
}
