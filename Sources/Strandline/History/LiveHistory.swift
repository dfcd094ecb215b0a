public import EventLog

/// The transactions of a store that a token does not cover, and those that come, from any process, as they become durable; see
/// ``Store/transactions(after:_:)``.
public struct LiveHistory: AsyncSequence, Sendable {
    public typealias Element = Transaction
    public typealias Failure = any Error

    let engine: Engine
    let token: HistoryToken
    let filter: HistoryFilter

    public func makeAsyncIterator() -> Iterator { Iterator(history: self) }

    /// Reads on as it is asked to, and waits where there is nothing; ends when its task is cancelled.
    public struct Iterator: AsyncIteratorProtocol {
        /// How long one wait takes at most, in milliseconds, before it is seen whether the store was closed.
        private static let patience = 1000

        private let history: LiveHistory
        private var cursor: HistoryCursor?
        /// Read and not given yet.
        private var ahead: ArraySlice<Transaction> = []
        private var watcher: CommitWatcher?
        private var token: HistoryToken
        private var count: UInt64 = 0

        init(history: LiveHistory) {
            self.history = history
            token = history.token
        }

        public mutating func next() async throws -> Transaction? {
            do {
                while !Task.isCancelled {
                    if let transaction = try await read() { return transaction }
                    try await wait()
                }
                return nil
            } catch {
                throw StoreError.translated(error)
            }
        }

        private mutating func read() async throws -> Transaction? {
            if let transaction = ahead.popFirst() { return transaction }
            let engine = history.engine
            // Before reading, so that what comes meanwhile ends the next wait at once.
            if cursor == nil { count = engine.log.commitCount }
            let cursor = self.cursor ?? HistoryCursor(engine, after: token, history.filter)
            let batch = try await cursor.next()
            ahead = batch.transactions[...]
            if batch.transactions.isEmpty { token = batch.token }
            self.cursor = batch.transactions.isEmpty ? nil : cursor
            return ahead.popFirst()
        }

        private mutating func wait() async throws {
            let engine = history.engine
            let known = self.watcher
            let watcher = try await engine.background.run { try known ?? CommitWatcher(engine.log) }
            self.watcher = watcher
            let count = count
            try await withTaskCancellationHandler {
                _ = try await engine.background.run { watcher.wait(past: count, milliseconds: Self.patience) }
            } onCancel: {
                watcher.cancel()
            }
        }
    }
}
