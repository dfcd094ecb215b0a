import EventLog
import Projection
import Storage

extension FoldState {
    /// How far each origin is applied, and by which transactions.
    var positions: [ReplicaID: BranchPosition] {
        origins.compactMapValues { $0.sequence > 0 ? BranchPosition(sequence: $0.sequence, chain: $0.chain) : nil }
    }

    /// A token of what is applied.
    ///
    /// - Parameter hint: where the log is to be read on from; nil for its start.
    func token(in dataset: DatasetID, hint: HistoryToken.Hint? = nil) -> HistoryToken {
        var vector = VersionVector()
        for (name, origin) in origins { vector.advance(name, to: origin.sequence, chain: origin.chain) }
        return HistoryToken(dataset: dataset, vector: vector, hint: hint ?? HistoryToken.Hint(log: .zero, lsn: 0))
    }
}
