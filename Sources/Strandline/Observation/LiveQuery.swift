#if canImport(Observation)
public import Observation

/// The objects that a request selects, kept up to date for a view that observes it.
///
/// Belongs to the actor that makes it, such as the main actor, and changes on it alone. It stops when it is released, or by
/// ``stop()``.
///
/// ```swift
/// @MainActor final class Screen {
///     let posts: LiveQuery<Post>
///     init(_ store: Store) { posts = LiveQuery(Post.all.sorted(by: \.title), in: store) }
/// }
/// ```
@Observable
public final class LiveQuery<Root: Entity> {
    /// The latest; empty until the first are here.
    public private(set) var objects: [Root] = []
    /// Whether the first objects are still awaited.
    public private(set) var isLoading = true
    /// Why the objects are not updated any more.
    public private(set) var error: (any Error)?

    @ObservationIgnored private var task: Task<Void, Never>?

    /// Begins at once.
    ///
    /// - Parameter isolation: the actor that the query belongs to: the caller's own unless another is given.
    public init(_ request: FetchRequest<Root>, in store: Store, isolation: isolated any Actor = #isolation) {
        let values = store.values(of: request)
        task = Task { [weak self] in
            _ = isolation
            do {
                for try await objects in values {
                    guard let self else { return }
                    self.show(objects)
                }
            } catch {
                self?.fail(error)
            }
        }
    }

    deinit { task?.cancel() }

    /// Updates the objects no more.
    public func stop() {
        task?.cancel()
        task = nil
        isLoading = false
    }

    private func show(_ objects: [Root]) {
        guard task != nil else { return }
        self.objects = objects
        isLoading = false
    }

    private func fail(_ error: any Error) {
        self.error = error
        isLoading = false
    }
}
#endif
