// Invariants
// * `state` is guarded by its mutex; it is used on a thread of the engine's, one batch after the other.
// * `failure` stands behind what was read before it: the batch that it cut short is given first.

import EventLog
import Synchronization

/// Reads history some transactions ahead, on threads that may wait for the disk.
final class HistoryCursor: Sendable {
    struct Batch: Sendable {
        /// Empty at the end.
        var transactions: [Transaction] = []
        /// The state of the log that the history ends at.
        var token: HistoryToken
    }

    private struct State {
        var reader: HistoryReader?
        var failure: (any Error)?
    }

    /// A batch has at most so many transactions, and is full with so many changes.
    private static let mostTransactions = 64, enoughChanges = 1_024

    private let engine: Engine
    private let token: HistoryToken?
    private let filter: HistoryFilter
    private let state = Mutex(State())

    init(_ engine: Engine, after token: HistoryToken?, _ filter: HistoryFilter) {
        self.engine = engine
        self.token = token
        self.filter = filter
    }

    /// The next transactions, up to what was durable when they were first asked for.
    func next() async throws -> Batch { try await engine.background.run { try self.read() } }

    private func read() throws -> Batch {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            var reader = try state.reader ?? HistoryReader(engine, after: token, filter)
            defer { state.reader = reader }
            var batch = Batch(token: reader.token)
            var changes = 0
            do {
                while batch.transactions.count < Self.mostTransactions, changes < Self.enoughChanges,
                    let transaction = try reader.next()
                {
                    batch.transactions.append(transaction)
                    changes += transaction.changes.count
                }
            } catch {
                if batch.transactions.isEmpty { throw error }
                state.failure = error
            }
            return batch
        }
    }
}
