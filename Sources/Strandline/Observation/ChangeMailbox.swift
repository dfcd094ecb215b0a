// Invariants
// * `state` is guarded by its mutex; continuations are resumed outside of it, each once.
// * `waiter` is set only while nothing is to be told: not changed, not failed, not cancelled.
// * One task waits at a time.

import Synchronization

/// Where one observer hears that it should look again.
///
/// However much changes meanwhile, it hears of it once.
final class ChangeMailbox: Sendable {
    private struct State {
        /// Nil while the observer has not looked yet: then everything concerns it.
        var scope: ObservedScope?
        var hasChanged = false
        var isCancelled = false
        var failure: (any Error)?
        var waiter: CheckedContinuation<Bool, any Error>?

        /// What a waiter is to be told; nil for nothing yet.
        mutating func news() -> Result<Bool, any Error>? {
            if isCancelled { return .success(false) }
            if let failure { return .failure(failure) }
            guard hasChanged else { return nil }
            hasChanged = false
            return .success(true)
        }
    }

    private let state = Mutex(State())

    /// From now on only these changes concern the observer.
    func narrow(to scope: ObservedScope) { state.withLock { $0.scope = scope } }

    func post(_ changes: ChangedNames) {
        tell { state in
            if state.scope?.isConcerned(by: changes) ?? true { state.hasChanged = true }
        }
    }

    /// Ends the observation with an error.
    func fail(_ error: any Error) { tell { $0.failure = $0.failure ?? error } }

    func cancel() { tell { $0.isCancelled = true } }

    /// Waits until something has changed since it returned last; false once cancelled.
    ///
    /// - Throws: why nothing more will be heard.
    func wait() async throws -> Bool {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let news = state.withLock { state -> Result<Bool, any Error>? in
                    let news = state.news()
                    if news == nil { state.waiter = continuation }
                    return news
                }
                if let news { continuation.resume(with: news) }
            }
        } onCancel: {
            cancel()
        }
    }

    private func tell(_ change: (inout State) -> Void) {
        let (waiter, news) = state.withLock { state -> (CheckedContinuation<Bool, any Error>?, Result<Bool, any Error>?) in
            change(&state)
            guard let waiter = state.waiter, let news = state.news() else { return (nil, nil) }
            state.waiter = nil
            return (waiter, news)
        }
        if let waiter, let news { waiter.resume(with: news) }
    }
}
