extension Store {
    /// What the store does with its peers from now on: the beginning and the end of each setup, import and export.
    ///
    /// The sequence ends when the store is closed. Who falls more than a thousand events behind misses the oldest.
    public func syncEvents() -> AsyncStream<SyncEvent> { engine.replicator.events.stream() }

    /// The next event of a kind that ends after this call: what is done before it is waited for is not missed.
    ///
    /// ```swift
    /// let exported = store.upcoming(.export)
    /// try await generator.generate(into: store)
    /// print(try await exported.value())
    /// ```
    public func upcoming(_ kind: SyncEvent.Kind) -> UpcomingEvent { UpcomingEvent(kind, syncEvents()) }

    /// Waits for the next event of a kind to end.
    ///
    /// It is listened for from when this begins to run. Where it may end before, as in `async let`, ask for ``upcoming(_:)`` first.
    ///
    /// ```swift
    /// print(try await store.next(.import))
    /// ```
    ///
    /// - Parameter timeout: how long to wait at most.
    /// - Returns: the event; it may have failed, see ``SyncEvent/error``.
    /// - Throws: `interrupted` when nothing came in time, `closed` when the store was closed.
    public func next(_ kind: SyncEvent.Kind, timeout: Duration = .seconds(600)) async throws -> SyncEvent {
        try await upcoming(kind).value(timeout: timeout)
    }
}
