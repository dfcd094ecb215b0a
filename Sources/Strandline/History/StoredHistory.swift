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

    /// Reads what is held too: names follow from all that was received.
    init(receivedIn log: EventLog) throws(LogError) {
        self.log = log
        reader = try LogReader(log)
    }

    /// The state of the log that it ends at.
    var token: HistoryToken { reader.token }

    mutating func next() throws(LogError) -> StoredTransaction? { try reader.next() }

    /// The whole transaction, under the id that its bytes carry.
    ///
    /// One that needs a newer version is no damage: it has one unknown change, and ``Transaction/isUnreadable`` says so.
    mutating func decode(_ stored: StoredTransaction) throws(LogError) -> Transaction {
        var parts: [PartBytes] = []
        try log.forEachPart(of: stored) { (part) throws(LogError) in parts.append(part) }
        var decoder = self.decoder
        defer { self.decoder = decoder }
        return try LogError.damage(in: "transaction \(stored.sequence) of \(stored.name)") { () throws(StorageError) in
            do throws(StorageError) {
                return try decoder.decode(
                    parts: parts, origin: stored.branch.origin, sequence: stored.sequence,
                    previousChain: stored.previousChain, chain: stored.chain)
            } catch {
                guard error.code == .newerVersion else { throw error }
                return Transaction(header: Self.header(of: stored, parts), changes: [.unknown(kind: 0)])
            }
        }
    }

    /// Calls with each change of a transaction, whose parts are read one by one: memory holds one of them, however many there are.
    ///
    /// - Returns: the header; nil when the transaction needs a newer version, at whatever change that was found.
    mutating func visit(
        _ stored: StoredTransaction, _ body: (Change, Stamp) -> Void
    ) throws(LogError) -> TransactionHeader? {
        var decoder = self.decoder
        defer { self.decoder = decoder }
        var header: TransactionHeader?
        var isReadable = true
        let place = "transaction \(stored.sequence) of \(stored.name)"
        try log.forEachPart(of: stored) { (part) throws(LogError) in
            guard isReadable else { return }
            try LogError.damage(in: place) { () throws(StorageError) in
                do throws(StorageError) {
                    if header == nil {
                        header = try TransactionDecoder.header(
                            of: part, origin: stored.branch.origin, sequence: stored.sequence,
                            previousChain: stored.previousChain, chain: stored.chain)
                    }
                    guard let stamp = header?.stamp else { return }
                    var groups = try decoder.groups(of: part, origin: stored.branch.origin, sequence: stored.sequence)
                    while let group = try groups.next() { group.forEachChange { body($0, stamp) } }
                } catch {
                    guard error.code == .newerVersion else { throw error }
                    isReadable = false
                }
            }
        }
        return isReadable ? header : nil
    }

    /// The header as far as it can be read.
    private static func header(of stored: StoredTransaction, _ parts: [PartBytes]) -> TransactionHeader {
        let read = try? TransactionDecoder.header(
            of: parts[0], origin: stored.branch.origin, sequence: stored.sequence, previousChain: stored.previousChain,
            chain: stored.chain)
        return read
            ?? TransactionHeader(
                origin: stored.branch.origin, sequence: stored.sequence, timestamp: stored.timestamp,
                previousChain: stored.previousChain, chain: stored.chain)
    }

    /// Everything that is applied and that this version can read, by the names that follow from all that was received.
    static func resolved(_ log: EventLog) throws(LogError) -> (history: ResolvedHistory, token: HistoryToken) {
        var all = try StoredHistory(receivedIn: log)
        var transactions: [Transaction] = []
        var applied: Set<Digest128> = []
        var stopped: Set<ReplicaID> = []
        while let stored = try all.next() {
            let transaction = try all.decode(stored)
            transactions.append(transaction)
            if transaction.isUnreadable { stopped.insert(stored.name) }
            if all.reader.isApplied(stored), !stopped.contains(stored.name) { applied.insert(stored.chain) }
        }
        return (ResolvedHistory(transactions, applied: applied), all.token)
    }
}
