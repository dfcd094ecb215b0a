import Storage
import Synchronization

extension EventLog {
    /// How many groups were committed to the store since the machine started, by any process.
    ///
    /// Cheap; changes with every commit.
    package var commitCount: UInt64 { published?.commits ?? 0 }

    /// Brings ``durableState`` up to what other processes made durable; never waits for a writer, nor a writer for it.
    ///
    /// Any thread. A process that holds the writers' lock knows all there is. A log that is open for reading only needs this to see
    /// anything new.
    ///
    /// - Returns: whether something is new.
    /// - Throws: `corrupt` when what was made durable cannot be read.
    @discardableResult
    package func refresh() throws(LogError) -> Bool {
        guard let published, published.isAhead(of: durable.withLock({ $0.position })) else { return false }
        return try locked(tail) { (tail) throws(LogError) -> Bool in
            guard published.isAhead(of: tail.position), !front.withLock({ $0.isLocked || $0.failure?.code == .closed }) else {
                return false
            }
            let before = tail.position
            try tail.follow(to: published)
            guard !published.isAhead(of: tail.position) else {
                throw LogError(
                    .corrupt,
                    "acknowledged data up to offset \(published.end) of segment \(published.ordinal) cannot be read; verify the store",
                    path: tail.segment.path, offset: tail.position.offset)
            }
            let state = tail.state
            front.withLock { front in
                // Nothing is pending while the lock is not held.
                front.state = state
                front.observeApplied()
            }
            durable.withLock { $0 = state }
            return state.position != before
        }
    }

    private var published: SharedState.Published? {
        guard let shared else {
            return SharedState.published(in: layout, environment.fileSystem, boot: environment.host.boot)
        }
        return shared.published
    }
}
