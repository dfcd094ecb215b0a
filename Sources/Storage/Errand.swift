// Invariants
// * The outcome is set once, by whoever runs the work, before `ended` is advanced.

import Synchronization

/// Work that another thread does while the caller does something else.
///
/// Where the system has no thread to spare, the caller does it when it asks for the result.
package final class Errand<Result: Sendable>: Sendable {
    private final class Outcome: Sendable {
        let result = Mutex<Swift.Result<Result, any Error>?>(nil)
        let ended = WakeSignal()
    }

    private let outcome = Outcome()
    /// Nil when another thread runs it.
    private let body: (@Sendable () throws -> Result)?

    /// Begins at once.
    package init(_ body: @escaping @Sendable () throws -> Result) {
        do throws(StorageError) {
            try WorkerThreads.run { [outcome] in
                let result = Swift.Result { try body() }
                outcome.result.withLock { $0 = result }
                outcome.ended.advance()
            }
            self.body = nil
        } catch {
            self.body = body
        }
    }

    /// What the work came to; waits for it.
    ///
    /// To be called before whatever the work uses goes, also when nobody wants to know.
    package func result() throws -> Result {
        if let body { return try body() }
        while true {
            let ticket = outcome.ended.generation
            if let result = outcome.result.withLock({ $0 }) { return try result.get() }
            outcome.ended.wait(past: ticket)
        }
    }
}
