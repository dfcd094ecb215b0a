import Storage

/// Threads for calls that wait for the disk, so that tasks do not.
package struct BackgroundQueue: Sendable {
    package init() {}

    /// Runs `body` on one of them; errors of the floors below become the store's.
    package func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            do {
                try WorkerThreads.run { continuation.resume(with: Swift.Result { try StoreError.wrap(body) }) }
            } catch {
                continuation.resume(throwing: StoreError.translated(error))
            }
        }
    }
}
