import Dispatch

/// Threads for calls that wait for the disk, so that tasks do not.
package struct BackgroundQueue: Sendable {
    private let queue = DispatchQueue(label: "strandline.io", attributes: .concurrent)

    package init() {}

    /// Runs `body` on one of them; errors of the floors below become the store's.
    package func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try StoreError.wrap(body) }) }
        }
    }
}
