// Invariants
// * `isChanged` is set by every change and cleared by the wait that reports it; `isCancelled` is never cleared.
// * Both are set before the signal advances, so a wait that took its ticket first sees them.

import Synchronization

/// Waits for changes in a directory of an ``InMemoryFileSystem``.
final class InMemoryWatcher: DirectoryWatcher {
    private struct State {
        var isChanged = false
        var isCancelled = false
    }

    private let state = Mutex(State())
    private let signal = WakeSignal()

    func wait(milliseconds: Int) -> Bool {
        while true {
            let ticket = signal.generation
            let answer: Bool? = state.withLock { state in
                if state.isCancelled { return false }
                defer { state.isChanged = false }
                return state.isChanged ? true : nil
            }
            if let answer { return answer }
            if !signal.wait(past: ticket, milliseconds: milliseconds) { return false }
        }
    }

    func cancel() {
        state.withLock { $0.isCancelled = true }
        signal.advance()
    }

    func wake() {
        state.withLock { $0.isChanged = true }
        signal.advance()
    }
}

/// A watcher that lives as long as its user wants.
struct WeakWatcher: Sendable {
    weak let watcher: InMemoryWatcher?

    init(_ watcher: InMemoryWatcher) { self.watcher = watcher }
}
