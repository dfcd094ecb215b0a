import Synchronization

// Invariant: `recorded` holds every byte written so far; guarded by its own mutex.

/// A stream that keeps what is written, for tests.
package final class RecordingStream: TextStream {
    package let isTerminal: Bool
    private let recorded = Mutex<[UInt8]>([])

    /// A stream that claims to be a terminal or not.
    package init(isTerminal: Bool = false) {
        self.isTerminal = isTerminal
    }

    /// All that was written.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// All that was written, as bytes.
    package var bytes: [UInt8] { recorded.withLock { $0 } }

    package func write(_ text: String) { write(Array(text.utf8)) }

    package func write(_ bytes: [UInt8]) { recorded.withLock { $0 += bytes } }
}
