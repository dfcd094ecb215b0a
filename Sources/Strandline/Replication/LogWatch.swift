import EventLog
import Storage
import Synchronization

/// Says when anything was committed to a log, by any process, from a thread of its own.
final class LogWatch: Sendable {
    private let watcher: CommitWatcher?
    private let isEnded = Atomic(false)

    /// Milliseconds after which it looks again by itself.
    private static let patience = 1_000

    /// - Parameter grew: called from that thread.
    init(_ log: EventLog, grew: @escaping @Sendable () -> Void) {
        let watcher = try? CommitWatcher(log)
        self.watcher = watcher
        guard let watcher else { return }
        try? WorkerThreads.run { [self] in
            var count = log.commitCount
            while !isEnded.load(ordering: .acquiring) {
                _ = watcher.wait(past: count, milliseconds: Self.patience)
                let present = log.commitCount
                if present != count, !isEnded.load(ordering: .acquiring) { grew() }
                count = present
            }
        }
    }

    func end() {
        isEnded.store(true, ordering: .releasing)
        watcher?.cancel()
    }
}
