/// The next event of a kind since the moment this was asked for, whenever it is waited for.
///
/// ```swift
/// let exported = store.upcoming(.export)
/// try await generator.generate(into: store)
/// print(try await exported.value())
/// ```
public struct UpcomingEvent: Sendable {
    private let kind: SyncEvent.Kind
    private let events: AsyncStream<SyncEvent>

    init(_ kind: SyncEvent.Kind, _ events: AsyncStream<SyncEvent>) {
        self.kind = kind
        self.events = events
    }

    /// Waits for the event to end; to be called once.
    ///
    /// - Parameter timeout: how long to wait at most, from now on.
    /// - Returns: the event; it may have failed, see ``SyncEvent/error``.
    /// - Throws: `interrupted` when nothing came in time, `closed` when the store was closed.
    public func value(timeout: Duration = .seconds(600)) async throws -> SyncEvent {
        let (kind, events) = (kind, events)
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
