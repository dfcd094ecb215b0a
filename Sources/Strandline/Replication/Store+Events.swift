extension Store {
    /// What the store does with its peers from now on: the beginning and the end of each setup, import and export.
    ///
    /// The sequence ends when the store is closed. Who falls more than a thousand events behind misses the oldest.
    public func syncEvents() -> AsyncStream<SyncEvent> { engine.replicator.events.stream() }

    /// Waits for the next event of a kind to end, for tests and scripts.
    ///
    /// ```swift
    /// async let exported = store.next(.export)
    /// try await generator.generate(into: store)
    /// print(try await exported)
    /// ```
    ///
    /// - Parameter timeout: how long to wait at most.
    /// - Returns: the event; it may have failed, see ``SyncEvent/error``.
    /// - Throws: `interrupted` when nothing came in time, `closed` when the store was closed.
    public func next(_ kind: SyncEvent.Kind, timeout: Duration = .seconds(600)) async throws -> SyncEvent {
        let events = syncEvents()
        return try await withThrowingTaskGroup(of: SyncEvent?.self) { group in
            group.addTask {
                for await event in events where event.kind == kind && event.ended != nil { return event }
                try Task.checkCancellation()
                throw StoreError(.closed, "the store was closed while its next \(kind.rawValue) was waited for")
            }
            group.addTask {
                try await Task.sleep(for: timeout)
                return nil
            }
            defer { group.cancelAll() }
            guard let event = try await group.next() ?? nil else {
                throw StoreError(.interrupted, "no \(kind.rawValue) ended within \(timeout)")
            }
            return event
        }
    }
}
