import Storage

/// Runs what waits for another task on a thread of its own: tests share as many threads as there are cores.
package func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        do {
            try WorkerThreads.run { continuation.resume(with: Result(catching: body)) }
        } catch {
            continuation.resume(throwing: error)
        }
    }
}

/// Waits until `condition` holds, and throws if it does not.
///
/// It counts turns of the task pool beside seconds: a test that runs beside a thousand others may be passed over for minutes.
nonisolated(nonsending) package func waitUntil(_ condition: () throws -> Bool) async throws {
    for _ in 0..<12_000 {
        if try condition() { return }
        try await Task.sleep(for: .milliseconds(5))
    }
    throw NeverHeld()
}

private struct NeverHeld: Error, CustomStringConvertible {
    var description: String { "what was waited for did not come about within a minute" }
}
