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
        private var reader: HistoryReader?
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
                    if let transaction = try read() { return transaction }
                    try await wait()
                }
                return nil
            } catch {
                throw StoreError.translated(error)
            }
        }

        private mutating func read() throws -> Transaction? {
            let engine = history.engine
            if reader == nil {
                // Before reading, so that what comes meanwhile ends the next wait at once.
                count = engine.log.commitCount
                reader = try HistoryReader(engine, after: token, history.filter)
            }
            if let transaction = try reader?.next() { return transaction }
            token = reader?.token ?? token
            reader = nil
            return nil
        }

        private mutating func wait() async throws {
            let engine = history.engine
            let watcher = try self.watcher ?? CommitWatcher(engine.log)
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
