import EventLog
import Projection

/// Reads the transactions that a token does not cover, up to what was durable when it was made.
struct HistoryReader {
    /// Of origins that wrote what this version cannot read: the last sequence that is given.
    private let stops: [ReplicaID: UInt64]
    private let filter: HistoryFilter
    private var beyond: StoredHistory
    /// Where an origin has forked: everything, for what is meant follows from what was written before.
    private var named: NamedHistory?
    /// The state of the log that it ends at.
    let token: HistoryToken

    init(_ engine: Engine, after token: HistoryToken?, _ filter: HistoryFilter) throws {
        self.filter = filter
        try engine.check(token)
        stops = try engine.stops()
        let (_, position, names) = try StoreError.wrap { try engine.named(flushes: false) }
        beyond = try StoredHistory(engine.log, after: token, at: position)
        self.token = beyond.token
        if !names.isPlain { named = try NamedHistory(engine.log, at: position, names) }
    }

    mutating func next() throws -> Transaction? {
        while let transaction = try read() {
            if let wanted = filter.apply(to: transaction) { return wanted }
        }
        return nil
    }

    private mutating func read() throws -> Transaction? {
        while let next = try beyond.next() {
            guard next.sequence <= stops[next.name] ?? .max else { continue }
            guard named != nil else { return try beyond.decode(next) }
            if let transaction = try readNamed(next.lsn) { return transaction }
        }
        return nil
    }

    private mutating func readNamed(_ lsn: UInt64) throws -> Transaction? {
        while let stored = try named?.next() {
            if stored.lsn == lsn { return try named?.transaction(stored) }
            try named?.pass(stored)
        }
        return nil
    }
}
