public import Strandline

/// Fills a store with data made from a seed.
///
/// ```swift
/// let posts = PostGenerator(count: 1_000, seed: 1)
/// try await posts.generate(into: store) { print($0.objects, "objects") }
/// try await posts.verify(in: store)
/// ```
///
/// The same generator with the same seed makes the same content: stores that one generator filled have equal
/// ``Strandline/Store/contentDigest()``s. Memory does not grow with the amount. Cancelling the task stops between two transactions;
/// what is written stays.
public protocol Generator: Sendable {
    /// Writes everything.
    ///
    /// - Parameter progress: told so far done, from any thread.
    /// - Throws: ``GeneratorError``, what the store throws, `CancellationError`.
    @discardableResult
    func generate(
        into store: Store, progress: @escaping @Sendable (GenerationSummary) -> Void
    ) async throws -> GenerationSummary

    /// Checks that everything is in a store as it was made: fetches ids, and loads one object at a time.
    ///
    /// - Returns: what was checked.
    /// - Throws: ``GeneratorError`` of code `mismatch`, naming the first object that differs.
    @discardableResult
    func verify(
        in store: Store, progress: @escaping @Sendable (GenerationSummary) -> Void
    ) async throws -> GenerationSummary

    /// What there will be.
    var total: GenerationSummary { get }
}

extension Generator {
    /// Writes everything.
    @discardableResult
    public func generate(into store: Store) async throws -> GenerationSummary {
        try await generate(into: store, progress: { _ in })
    }

    /// Checks that everything is in a store as it was made.
    @discardableResult
    public func verify(in store: Store) async throws -> GenerationSummary { try await verify(in: store, progress: { _ in }) }
}
