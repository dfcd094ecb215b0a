import Storage
import Synchronization

extension EventLog {
    /// Writes what is pending and notes that the log was closed with nothing in the air.
    ///
    /// The log must not be used afterwards.
    package func close() throws(LogError) {
        defer {
            lock?.close()
            tail.withLock { $0.segment.file.close() }
            front.withLock { $0.failure = LogError(.closed, "the store was closed", path: layout.root) }
        }
        guard let shared, let lock, failure == nil else { return }
        try flush()
        guard !shared.isClean else { return }
        try enter(liftingHolds: false)
        try locked(tail) { (tail) throws(LogError) in try tail.mark(isClean: true) }
        shared.setClean(true)
        try LogError.wrap { () throws(StorageError) in try lock.release() }
    }

    /// `Mutex.withLock` with a typed error.
    func locked<State, Result>(
        _ mutex: borrowing Mutex<State>, _ body: (inout sending State) throws(LogError) -> sending Result
    ) throws(LogError) -> Result {
        try mutex.withLock(body)
    }
}
