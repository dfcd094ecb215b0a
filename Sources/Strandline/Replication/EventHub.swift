// Invariants
// * `listeners` is guarded by its mutex; streams are fed outside of it, in the order of the events.

import Synchronization

/// Where events of one kind go.
final class EventHub<Event: Sendable>: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<Event>.Continuation] = [:]
        var next = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let onPost: @Sendable (Event) -> Void

    /// - Parameter onPost: hears of every event, whoever else does.
    init(onPost: @escaping @Sendable (Event) -> Void = { _ in }) { self.onPost = onPost }

    /// Tells everybody who listens.
    func post(_ event: Event) {
        onPost(event)
        let listeners = state.withLock { Array($0.listeners.values) }
        for listener in listeners { listener.yield(event) }
    }

    /// The events from now on; those of a slow listener wait in memory, the latest thousand of them.
    func stream() -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(1_000))
        let number = state.withLock { state -> Int? in
            if state.isClosed { return nil }
            defer { state.next += 1 }
            state.listeners[state.next] = continuation
            return state.next
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) } }
        return stream
    }

    var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }

    /// Ends all streams.
    func close() {
        let listeners = state.withLock { state -> [AsyncStream<Event>.Continuation] in
            defer { state.listeners = [:] }
            state.isClosed = true
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}
