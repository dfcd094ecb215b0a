import Projection

/// What a request gives now, and then whenever that may have changed; see ``Store/values(of:)`` and ``Store/counts(of:)``.
public struct LiveValues<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Value
    public typealias Failure = any Error

    let engine: Engine
    let request: FetchDescription
    /// Whether a value need not be given after another; nil where values cannot be compared.
    var isSame: (@Sendable (Value, Value) -> Bool)?
    let read: @Sendable (StateReader) throws -> Value

    public func makeAsyncIterator() -> Iterator { Iterator(values: self) }

    /// Looks when it is asked, so that whoever asks rarely gets the latest value and none of those between.
    public struct Iterator: AsyncIteratorProtocol {
        private let values: LiveValues
        private var subscription: ChangeSubscription?
        private var last: Value?
        private var isEnded = false

        init(values: LiveValues) { self.values = values }

        /// The next value; nil when the task is cancelled, and after an error.
        ///
        /// - Throws: ``StoreError`` `closed` once the store is, `storage`, and what a fetch of the request throws.
        public mutating func next() async throws -> Value? {
            var value: Value?
            do {
                while !isEnded, !Task.isCancelled, let latest = try await latest() {
                    if let last, values.isSame?(last, latest) ?? false { continue }
                    value = latest
                    break
                }
            } catch {
                end()
                throw error
            }
            if value == nil { end() } else if values.isSame != nil { last = value }
            return value
        }

        /// Waits until there may be something new, and looks; nil when cancelled.
        private mutating func latest() async throws -> Value? {
            let values = values
            if let subscription {
                guard try await subscription.mailbox.wait() else { return nil }
            } else {
                // Before the first look, so that nothing that comes after it is missed.
                subscription = try await values.engine.background.run { try ChangeSubscription(values.engine) }
            }
            // The mailbox alone: the subscription ends with the iterator, whatever a thread still holds.
            guard let mailbox = subscription?.mailbox else { return nil }
            return try await values.engine.background.run { try values.look(mailbox) }
        }

        private mutating func end() {
            isEnded = true
            subscription = nil
            last = nil
        }
    }

    private func look(_ mailbox: ChangeMailbox) throws -> Value {
        try engine.read { reader in
            mailbox.narrow(to: ObservedScope(request, in: reader.state.schema))
            return try read(reader)
        }
    }
}
