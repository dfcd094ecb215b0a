import Projection

/// Which objects transactions change, as they become durable, from any process; see ``Store/changes(entities:after:)``.
public struct LiveChanges: AsyncSequence, Sendable {
    public typealias Element = ObservedTransaction
    public typealias Failure = any Error

    let history: LiveHistory
    /// Empty for all.
    let entities: Set<WireName>

    public func makeAsyncIterator() -> Iterator { Iterator(changes: self) }

    /// Reads on in the log as it is asked to, so that one that asks rarely misses nothing and keeps nothing in memory.
    public struct Iterator: AsyncIteratorProtocol {
        private var history: LiveHistory.Iterator
        private let own: OwnTransactions
        private let entities: Set<WireName>

        init(changes: LiveChanges) {
            history = changes.history.makeAsyncIterator()
            own = changes.history.engine.own
            entities = changes.entities
        }

        public mutating func next() async throws -> ObservedTransaction? {
            while let transaction = try await history.next() {
                let header = transaction.header
                let isOwn = own.contains(header.origin, header.sequence)
                if let observed = ObservedTransaction(transaction, entities: entities, isOwn: isOwn) { return observed }
            }
            return nil
        }
    }
}
