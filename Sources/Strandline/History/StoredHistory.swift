import EventLog
import Projection
import Storage

/// The transactions of a log in its order, with what is needed to decode them.
struct StoredHistory {
    struct Entry {
        let transaction: StoredTransaction
        /// Not held back.
        let isApplied: Bool
    }

    private let log: EventLog
    private let branches: BranchTable
    private var reader: LogReader
    private var decoder = TransactionDecoder()

    /// - Parameter lsn: the last transaction that is not wanted.
    init(_ log: EventLog, after lsn: UInt64 = 0) throws(LogError) {
        self.log = log
        branches = log.durableState.branches
        reader = try LogReader(log, after: lsn)
    }

    mutating func next() throws(LogError) -> Entry? {
        guard let transaction = try reader.next() else { return nil }
        let number = branches.number(of: transaction.branch)
        let applied = number.map { branches.branches[$0].applied.sequence } ?? 0
        return Entry(transaction: transaction, isApplied: transaction.sequence <= applied)
    }

    /// The whole transaction, under the id that its bytes carry.
    mutating func decode(_ stored: StoredTransaction) throws(LogError) -> Transaction {
        var parts: [PartBytes] = []
        try log.forEachPart(of: stored) { (part) throws(LogError) in parts.append(part) }
        var decoder = self.decoder
        defer { self.decoder = decoder }
        return try LogError.damage(in: Self.place(of: stored)) { () throws(StorageError) in
            try decoder.decode(
                parts: parts, origin: stored.branch.origin, sequence: stored.sequence, previousChain: stored.previousChain,
                chain: stored.chain)
        }
    }

    /// Joins a transaction to a state in which its origin is one branch; false when this version cannot read it.
    mutating func join(_ stored: Entry, to box: StateBox) throws(LogError) -> Bool {
        let transaction = try decode(stored.transaction)
        guard !transaction.isUnreadable else { return false }
        box.state.apply(transaction)
        return true
    }

    /// All that the log has, with its forks resolved.
    static func resolved(_ log: EventLog) throws(LogError) -> ResolvedHistory {
        var history = try StoredHistory(log)
        var transactions: [Transaction] = []
        while let entry = try history.next() { transactions.append(try history.decode(entry.transaction)) }
        return ResolvedHistory(transactions)
    }

    private static func place(of stored: StoredTransaction) -> String {
        "transaction \(stored.sequence) of \(stored.branch.origin)"
    }
}
