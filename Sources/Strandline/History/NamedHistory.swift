// Invariants
// * Every transaction that was given out by `next` is either passed or asked for, in that order, before the next one is: what a writer
//   knew follows from all it wrote before.

import EventLog
import Projection

/// The applied transactions of a log, in its order, with every id by the name that follows from all that was received.
struct NamedHistory {
    private var stored: StoredHistory
    private(set) var names: NameResolver
    private let followsAll: Bool

    /// - Parameters:
    ///   - state: a durable state of the log, to end at.
    ///   - names: those that the state has; nobody has been followed yet.
    ///   - token: what not to read, where names do not follow from what was written before.
    ///   - followsAll: whether to know what writers knew where no name depends on it.
    init(
        _ log: EventLog, at state: LogState, _ names: NameResolver, after token: HistoryToken? = nil, followsAll: Bool = false
    ) throws(LogError) {
        self.names = names
        self.followsAll = followsAll
        stored = try StoredHistory(log, after: names.isPlain ? token : nil, at: state)
    }

    mutating func next() throws(LogError) -> StoredTransaction? { try stored.next() }

    /// What is known of a transaction without looking at its changes.
    func header(of transaction: StoredTransaction) throws(LogError) -> TransactionHeader { try stored.header(of: transaction) }

    /// Goes on without a transaction.
    mutating func pass(_ transaction: StoredTransaction) throws(LogError) {
        guard !names.isPlain || followsAll else { return }
        names.follow(try stored.header(of: transaction), on: try stored.number(of: transaction))
    }

    /// The whole transaction.
    mutating func transaction(_ transaction: StoredTransaction) throws(LogError) -> Transaction {
        let number = try stored.number(of: transaction)
        let written = try stored.decode(transaction)
        if followsAll { names.follow(written.header, on: number) }
        return names.name(written, on: number)
    }

    /// Calls with each change of a transaction, where every id is its own name; memory holds one part of it.
    ///
    /// - Returns: the header; nil when the transaction needs a newer version, at whatever change that was found.
    mutating func visit(
        _ transaction: StoredTransaction, _ body: (Change, Stamp) -> Void
    ) throws(LogError) -> TransactionHeader? {
        try stored.visit(transaction, body)
    }

    /// What the writer of a transaction knew that was just asked for.
    mutating func knowledge(of transaction: StoredTransaction) throws(LogError) -> Knowledge {
        names.knowledge(on: try stored.number(of: transaction))
    }
}
