import EventLog
import Projection
import Storage

/// The applied transactions of a log, in its order, with what is needed to decode them.
struct StoredHistory {
    private let log: EventLog
    private var reader: LogReader
    private var decoder = TransactionDecoder()

    /// - Parameters:
    ///   - token: what is not wanted; nil for all that is kept, which with the baselines below the floor is everything.
    ///   - state: a durable state of the log, to end at; the present one without.
    init(_ log: EventLog, after token: HistoryToken?, at state: LogState? = nil) throws(LogError) {
        self.log = log
        reader =
            if let token {
                try LogReader(log, after: token, at: state)
            } else {
                try LogReader(log, appliedAt: state ?? log.durableState)
            }
    }

    /// - Parameter lsn: everything up to it is left out; what is held is not.
    init(_ log: EventLog, at state: LogState, from lsn: UInt64) throws(LogError) {
        self.log = log
        reader = try LogReader(log, state: state, after: lsn)
    }

    /// The state of the log that it ends at.
    var state: LogState { reader.state }

    /// Its token.
    var token: HistoryToken { reader.token }

    /// The branch of a transaction, by its number in the state's table.
    func number(of stored: StoredTransaction) throws(LogError) -> Int {
        guard let number = state.branches.number(of: stored.branch) else {
            throw LogError(
                .corrupt,
                "transaction \(stored.sequence) of \(stored.name) is on no branch that the log knows; verify the store")
        }
        return number
    }

    mutating func next() throws(LogError) -> StoredTransaction? { try reader.next() }

    /// The whole transaction, under the id that its bytes carry.
    ///
    /// One that needs a newer version is no damage: it has one unknown change, and ``Transaction/isUnreadable`` says so.
    mutating func decode(_ stored: StoredTransaction) throws(LogError) -> Transaction {
        let grouped = try decodeGroups(stored)
        var changes: [Change] = []
        changes.reserveCapacity(grouped.count)
        for group in grouped.groups { group.forEachChange { changes.append($0) } }
        return Transaction(header: grouped.header, changes: changes)
    }

    /// ``decode(_:)`` by groups of changes.
    mutating func decodeGroups(_ stored: StoredTransaction) throws(LogError) -> GroupedTransaction {
        var parts: [PartBytes] = []
        try log.forEachPart(of: stored) { (part) throws(LogError) in parts.append(part) }
        var decoder = self.decoder
        defer { self.decoder = decoder }
        return try LogError.damage(in: "transaction \(stored.sequence) of \(stored.name)") { () throws(StorageError) in
            do throws(StorageError) {
                return try decoder.decodeGroups(
                    parts: parts, origin: stored.branch.origin, sequence: stored.sequence,
                    previousChain: stored.previousChain, chain: stored.chain)
            } catch {
                guard error.code == .newerVersion else { throw error }
                return GroupedTransaction(header: Self.header(of: stored, parts), groups: [.unknown(kind: 0)])
            }
        }
    }

    /// ``visitGroups(_:_:)``, change by change.
    mutating func visit(
        _ stored: StoredTransaction, _ body: (Change, Stamp) -> Void
    ) throws(LogError) -> TransactionHeader? {
        try visitGroups(stored) { group, stamp in group.forEachChange { body($0, stamp) } }
    }

    /// Calls with each group of changes of a transaction, whose parts are read one by one: memory holds one of them, however many
    /// there are.
    ///
    /// - Returns: the header; nil when the transaction needs a newer version, at whatever change that was found.
    mutating func visitGroups(
        _ stored: StoredTransaction, _ body: (ChangeGroup, Stamp) -> Void
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
                    while let group = try groups.next() { body(group, stamp) }
                } catch {
                    guard error.code == .newerVersion else { throw error }
                    isReadable = false
                }
            }
        }
        return isReadable ? header : nil
    }

    /// What is known of a transaction without looking at its changes, as far as this version can read it.
    func header(of stored: StoredTransaction) throws(LogError) -> TransactionHeader {
        var parts: [PartBytes] = []
        try log.forEachPart(of: stored) { (part) throws(LogError) in if parts.isEmpty { parts.append(part) } }
        return Self.header(of: stored, parts)
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
}
