import Storage
import Synchronization

extension EventLog {
    /// Writes what is pending and notes that the log was closed with nothing in the air.
    ///
    /// The log must not be used afterwards.
    package func close() throws(LogError) {
        defer {
            lock?.close()
            tail.withLock { tail in
                tail.segment.file.close()
                tail.made?.segment.file.close()
            }
            front.withLock { $0.failure = LogError(.closed, "the store was closed", path: layout.root) }
        }
        guard let shared, let lock, failure == nil else { return }
        try flush()
        guard !shared.isClean else { return }
        try enter(liftingHolds: false)
        try mark(isClean: true)
        shared.setClean(true)
        try LogError.wrap { () throws(StorageError) in try lock.release() }
    }

    /// Writes a watermark, durably; the caller holds the writers' lock.
    func mark(isClean: Bool) throws(LogError) {
        try locked(tail) { (tail) throws(LogError) in try mark(isClean: isClean, &tail) }
    }

    func mark(isClean: Bool, _ tail: inout LogTail) throws(LogError) {
        let before = tail.position
        do throws(LogError) {
            try tail.mark(isClean: isClean)
        } catch {
            if tail.position != before { publish(tail.state) }
            try handle(error, tail: &tail)
            // Nobody waits for a commit here whose outcome could be unknown.
            throw error.underlying.map { LogError($0) } ?? error
        }
    }

    /// `Mutex.withLock` with a typed error.
    func locked<State, Result>(
        _ mutex: borrowing Mutex<State>, _ body: (inout sending State) throws(LogError) -> sending Result
    ) throws(LogError) -> Result {
        try mutex.withLock(body)
    }
}
