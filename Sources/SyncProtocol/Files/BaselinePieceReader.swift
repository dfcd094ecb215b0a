// Invariants
// * `next` is the number of the body that the next frame holds. A body is what its frame's checksum says; whether it is the right one, the
//   digests in the table tell, which the receiver compares.

import EventLog
import Storage

/// Reads the bodies in a piece of a baseline, one at a time.
struct BaselinePieceReader {
    let header: PieceHeader
    private let file: any File
    private var frames: FrameWalk
    private var number: Int

    /// - Throws: ``ExchangeDamage`` when it is not the piece that its name says, or not all of it is there.
    init(
        _ entry: BaselineEntry, _ piece: ClosedRange<Int>, in fileSystem: any FileSystem, dataset: DatasetID
    ) throws(ExchangeDamage) {
        let path = entry.path(of: piece)
        guard try fileSystem.isPlainFile(path) else { throw ExchangeDamage("it is no plain file, or gone again") }
        let file = try ExchangeDamage.wrap { () throws(StorageError) in try fileSystem.open(path, .read) }
        self.file = file
        let bytes = try ExchangeDamage.wrap { () throws(StorageError) in
            try file.bytes(at: 0, count: ExchangeFormat.headerSize)
        }
        header = try PieceHeader(bytes)
        guard header.dataset == dataset, header.identity == entry.identity, header.first == UInt64(piece.lowerBound),
            header.last == UInt64(piece.upperBound)
        else { throw ExchangeDamage("it is not the piece of a baseline that its name says") }
        number = piece.lowerBound
        frames = try FrameWalk(file, salt: header.salt, end: header.length)
    }

    var frameOffset: UInt64 { frames.frameOffset }

    func close() { file.close() }

    /// The next body and its number; nil behind the last.
    mutating func next() throws(ExchangeDamage) -> (number: Int, frame: Frame)? {
        guard number <= Int(header.last) else {
            guard frames.isAtEnd else { throw ExchangeDamage("it holds more bodies than its name says", at: frameOffset) }
            return nil
        }
        guard !frames.isAtEnd else { throw ExchangeDamage("it ends before body \(header.last)", at: header.length) }
        let frame = try frames.next([.baseline])
        defer { number += 1 }
        return (number, frame)
    }
}
