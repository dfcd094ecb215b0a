import EventLog
import Projection

/// Reads the transactions that a token does not cover, up to what was durable when it was made.
struct HistoryReader {
    private enum Source {
        case log(StoredHistory)
        /// Where an origin has forked, names are known only once everything is.
        case resolved(StoredHistory, [Place: Transaction])
    }

    private struct Place: Hashable {
        var name: ReplicaID
        var sequence: UInt64
    }

    /// Of origins that wrote what this version cannot read: the last sequence that is given.
    private let stops: [ReplicaID: UInt64]
    private let filter: HistoryFilter
    private var source: Source
    /// The state of the log that it ends at.
    let token: HistoryToken

    init(_ engine: Engine, after token: HistoryToken?, _ filter: HistoryFilter) throws {
        self.filter = filter
        try engine.check(token)
        stops = try engine.stops()
        let beyond = try StoredHistory(engine.log, after: token)
        self.token = beyond.token
        guard engine.log.durableState.branches.hasForks else {
            source = .log(beyond)
            return
        }
        var all: [Place: Transaction] = [:]
        for transaction in try StoredHistory.resolved(engine.log).history.transactions {
            all[Place(name: transaction.header.origin, sequence: transaction.header.sequence)] = transaction
        }
        source = .resolved(beyond, all)
    }

    mutating func next() throws -> Transaction? {
        while let transaction = try read() {
            if let wanted = filter.apply(to: transaction) { return wanted }
        }
        return nil
    }

    private mutating func read() throws -> Transaction? {
        switch source {
        case .log(var stored):
            defer { source = .log(stored) }
            while let next = try stored.next() {
                if next.sequence <= stops[next.name] ?? .max { return try stored.decode(next) }
            }
            return nil
        case .resolved(var stored, let all):
            defer { source = .resolved(stored, all) }
            while let next = try stored.next() {
                if let found = all[Place(name: next.name, sequence: next.sequence)] { return found }
            }
            return nil
        }
    }
}
