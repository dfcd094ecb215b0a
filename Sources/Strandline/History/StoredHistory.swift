import EventLog
import Projection
import Storage

/// The applied transactions of a log, in its order, with what is needed to decode them.
struct StoredHistory {
    private let log: EventLog
    private var reader: LogReader
    private var decoder = TransactionDecoder()

    /// - Parameter token: what is not wanted; nil for nothing.
    init(_ log: EventLog, after token: HistoryToken?) throws(LogError) {
        self.log = log
        reader = try LogReader(log, after: token ?? HistoryToken(dataset: log.dataset, vector: VersionVector()))
    }

    /// The state of the log that it ends at.
    var token: HistoryToken { reader.token }

    mutating func next() throws(LogError) -> StoredTransaction? { try reader.next() }

    /// The whole transaction, under the id that its bytes carry.
    mutating func decode(_ stored: StoredTransaction) throws(LogError) -> Transaction {
        var parts: [PartBytes] = []
        try log.forEachPart(of: stored) { (part) throws(LogError) in parts.append(part) }
        var decoder = self.decoder
        defer { self.decoder = decoder }
        return try LogError.damage(in: "transaction \(stored.sequence) of \(stored.name)") { () throws(StorageError) in
            try decoder.decode(
                parts: parts, origin: stored.branch.origin, sequence: stored.sequence, previousChain: stored.previousChain,
                chain: stored.chain)
        }
    }

    /// Decodes all that follows, and resolves the forks in it.
    mutating func resolved() throws(LogError) -> ResolvedHistory {
        var transactions: [Transaction] = []
        while let stored = try next() { transactions.append(try decode(stored)) }
        return ResolvedHistory(transactions)
    }
}
