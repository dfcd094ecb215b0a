import Synchronization

/// A summary that several threads add to.
final class SharedSummary: Sendable {
    private let state = Mutex(GenerationSummary())

    var value: GenerationSummary { state.withLock { $0 } }

    /// Changes it; returns what it is then.
    @discardableResult
    func change(_ body: (inout GenerationSummary) -> Void) -> GenerationSummary {
        state.withLock { summary in
            body(&summary)
            return summary
        }
    }
}
