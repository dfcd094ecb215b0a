// Invariants
// * A piece has its name only when all of it is durable, and the table comes last: a baseline whose table is there was whole once.
// * Which bodies a piece holds depends on the baseline alone, so a publication that was interrupted goes on behind the pieces that are there.
// * Blobs that the baseline names are in the folder before its table.

import EventLog
import Storage

/// Writes a baseline of a log into the store's own subfolder, in pieces.
struct BaselinePublication {
    private let log: EventLog
    private let environment: Environment
    private var blobs: BlobPublication
    private let begun: BaselineEntry?
    private let directory: String
    private var written = ExchangeReport()

    /// - Parameter begun: what is there of it already.
    init(
        _ log: EventLog, _ store: BlobStore, _ layout: ExchangeLayout, _ environment: Environment, _ begun: BaselineEntry?
    ) throws {
        self.log = log
        self.environment = environment
        self.begun = begun
        directory = try layout.prepare(log.replica, in: environment.fileSystem)
        blobs = BlobPublication(store, layout, environment, drafts: directory)
    }

    var report: ExchangeReport { written.adding(blobs.report) }

    mutating func publish(_ file: BaselineFile, _ progress: (_ done: Int, _ total: Int) throws -> Void) throws -> BaselineEntry
    {
        var entry = begun ?? BaselineEntry(file.identity, log.replica, directory)
        let row = Self.pieces(of: file.bodies)
        for (index, bodies) in row.enumerated() where !entry.pieces.contains(bodies) {
            for number in bodies { try publishBlobs(of: file, number) }
            try blobs.settle()
            try write(bodies, of: file)
            entry.pieces.insert(bodies)
            try progress(index + 1, row.count)
        }
        entry.bodies = file.bodies.count
        try environment.publish(
            try BaselineTable(file).encode(log.dataset),
            as: ExchangeFormat.tableName(file.identity, bodies: entry.bodies), in: directory)
        written.published.baselines += 1
        return entry
    }

    /// The bodies of each piece.
    static func pieces(of bodies: [BaselineBody]) -> [ClosedRange<Int>] {
        var row: [ClosedRange<Int>] = []
        var first = 0
        var size: UInt64 = 0
        for (number, body) in bodies.enumerated() {
            if number > first, size + UInt64(body.storedSize) > ExchangeFormat.preferredPiece {
                row.append(first...number - 1)
                (first, size) = (number, 0)
            }
            size += UInt64(body.storedSize)
        }
        return row + [first...bodies.count - 1]
    }

    private mutating func publishBlobs(of file: BaselineFile, _ number: Int) throws {
        var reader = try file.reader(number)
        while let object = try reader.next() {
            for case .blob(let reference) in object.registers.map(\.value) where reference.inline == nil {
                _ = try blobs.publish(reference)
            }
        }
    }

    private mutating func write(_ bodies: ClosedRange<Int>, of file: BaselineFile) throws {
        let (path, draft) = try environment.createDraft(in: directory)
        do {
            var frames = FrameTrail(draft, salt: environment.random.next())
            for number in bodies { try frames.append(try file.frame(number)) }
            let header = PieceHeader(
                dataset: log.dataset, identity: file.identity, first: UInt64(bodies.lowerBound),
                last: UInt64(bodies.upperBound), salt: frames.salt, length: frames.offset)
            try draft.finish(
                path, header.encode(), as: ExchangeFormat.pieceName(file.identity, bodies), in: directory,
                environment.fileSystem)
            written.published.files += 1
            written.published.bytes += frames.offset
        } catch {
            draft.close()
            try? environment.fileSystem.remove(path)
            throw error
        }
    }
}
