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
        let history: History
        private var reader: HistoryReader?

        init(history: History) { self.history = history }

        public mutating func next() async throws -> Transaction? {
            try StoreError.wrap {
                if reader == nil { reader = try HistoryReader(history.engine, after: history.token, history.filter) }
                return try reader?.next()
            }
        }
    }
}
