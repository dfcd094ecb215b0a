public import EventLog
import Projection

/// The transactions of a store that a token does not cover; see ``Store/history(after:_:)``.
public struct History: AsyncSequence, Sendable {
    public typealias Element = Transaction
    public typealias Failure = any Error

    let engine: Engine
    let token: HistoryToken?
    let filter: HistoryFilter

    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Reads on as it is asked to; ends at what was durable when it was first asked.
    public struct Iterator: AsyncIteratorProtocol {
        private enum Source {
            case log(StoredHistory)
            /// Where an origin has forked, names are known only once everything is.
            case resolved([Transaction], next: Int)
        }

        private let history: History
        private let covered: [ReplicaID: UInt64]
        private var source: Source?

        init(_ history: History) {
            self.history = history
            covered = history.token?.vector.sequences ?? [:]
        }

        public mutating func next() async throws -> Transaction? {
            do {
                while let transaction = try read() {
                    if let wanted = history.filter.apply(to: transaction) { return wanted }
                }
                return nil
            } catch {
                throw StoreError.translated(error)
            }
        }

        private mutating func read() throws -> Transaction? {
            if source == nil { source = try open() }
            switch source {
            case .log(var stored):
                source = nil
                defer { source = .log(stored) }
                while let entry = try stored.next() {
                    let transaction = entry.transaction
                    guard entry.isApplied, transaction.sequence > covered[transaction.branch.origin] ?? 0 else { continue }
                    return try stored.decode(transaction)
                }
                return nil
            case .resolved(let transactions, let next):
                guard next < transactions.count else { return nil }
                source = .resolved(transactions, next: next + 1)
                return transactions[next]
            case nil: return nil
            }
        }

        private func open() throws -> Source {
            let engine = history.engine
            try engine.check(history.token)
            let log = engine.log
            if log.durableState.branches.hasForks {
                let all = try engine.appliedHistory().transactions
                let beyond = all.filter { $0.header.sequence > covered[$0.header.origin] ?? 0 }
                return .resolved(beyond.sorted { $0.header.stamp < $1.header.stamp }, next: 0)
            }
            let hint = history.token.map(\.hint)
            let isOurs = hint?.log == log.logID && !log.durableState.branches.branches.contains(where: \.isHeld)
            return .log(try StoredHistory(log, after: isOurs ? hint?.lsn ?? 0 : 0))
        }
    }
}
