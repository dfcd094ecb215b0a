public import EventLog

/// The transactions of a store that a token does not cover, up to now; see ``Store/history(after:_:)``.
public struct History: AsyncSequence, Sendable {
    public typealias Element = Transaction
    public typealias Failure = any Error

    let engine: Engine
    let token: HistoryToken?
    let filter: HistoryFilter

    public func makeAsyncIterator() -> Iterator { Iterator(history: self) }

    /// Reads on as it is asked to; ends at what was durable when it was first asked.
    public struct Iterator: AsyncIteratorProtocol {
        private let cursor: HistoryCursor
        /// Read and not given yet.
        private var ahead: ArraySlice<Transaction> = []

        init(history: History) { cursor = HistoryCursor(history.engine, after: history.token, history.filter) }

        public mutating func next() async throws -> Transaction? {
            if ahead.isEmpty { ahead = try await cursor.next().transactions[...] }
            return ahead.popFirst()
        }
    }
}
