/// Why work in several transactions ended early, and what of it is in the store.
///
/// ```swift
/// do { try await store.insert(Post.self) { … } } catch let error as BatchError {
///     print(error.done.inserted, "posts are in the store;", error.cause)
/// }
/// ```
public struct BatchError: Error, Sendable, CustomStringConvertible {
    /// What was committed before, and stays.
    ///
    /// Of the transaction in which it failed there is nothing.
    public let done: BatchSummary
    /// What went wrong: a ``StoreError``, `CancellationError`, or what the caller's closure threw.
    public let cause: any Error

    /// - Throws: as its cause `invalidOption` for transactions of no objects.
    static func check(batch: Int) throws(BatchError) {
        guard batch < 1 else { return }
        let cause = StoreError(.invalidOption, "a batch of \(batch) objects; give one of at least 1")
        throw BatchError(done: BatchSummary(), cause: cause)
    }

    public var description: String {
        let stays =
            done.transactions == 0
            ? "nothing was recorded before"
            : "\(done.objects) objects were done before, in \(done.transactions) transactions that stay"
        return (cause is CancellationError ? "the work was cancelled" : "\(cause)") + "; " + stays
    }
}
