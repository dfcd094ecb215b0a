import Synchronization

// Invariant: `recorded` holds every byte written so far; guarded by its own mutex.

/// A stream that keeps what is written, for tests.
package final class RecordingStream: TextStream {
    package let isTerminal: Bool
    private let recorded = Mutex("")

    /// A stream that claims to be a terminal or not.
    package init(isTerminal: Bool = false) {
        self.isTerminal = isTerminal
    }

    /// All that was written.
    package var text: String { recorded.withLock { $0 } }

    package func write(_ text: String) {
        recorded.withLock { $0 += text }
    }
}
