import EventLog
import Storage

/// A baseline as the listing of a subfolder shows it.
struct BaselineEntry: Hashable, Sendable {
    let identity: Digest128
    /// In whose subfolder it lies.
    let replica: ReplicaID
    let directory: String
    /// How many there are, by the name of its table; 0 while that is not there.
    var bodies = 0
    /// Which bodies its pieces hold.
    var pieces: Set<ClosedRange<Int>> = []

    init(_ identity: Digest128, _ replica: ReplicaID, _ directory: String) {
        self.identity = identity
        self.replica = replica
        self.directory = directory
    }

    var table: String { Path.join(directory, ExchangeFormat.tableName(identity, bodies: bodies)) }

    func path(of piece: ClosedRange<Int>) -> String { Path.join(directory, ExchangeFormat.pieceName(identity, piece)) }

    /// Pieces that hold every body once, in order; nil while some are missing.
    var row: [ClosedRange<Int>]? {
        var row: [ClosedRange<Int>] = []
        for piece in pieces.sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) })
        where piece.lowerBound == (row.last?.upperBound ?? -1) + 1 && piece.upperBound < bodies {
            row.append(piece)
        }
        return bodies > 0 && row.last?.upperBound == bodies - 1 ? row : nil
    }

    var isWhole: Bool { row != nil }
}
