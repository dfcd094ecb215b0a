// Invariants
// * A commit shows in the directory when it is written and in ``EventLog/commitCount`` when it is durable, a moment later; what the
//   directory says is a hint, the count decides.

import Storage
import Synchronization

/// Waits for commits to a store, by any process.
///
/// For one thread; another may cancel.
package final class CommitWatcher: Sendable {
    private let log: EventLog
    private let directory: any DirectoryWatcher
    private let isCancelled = Atomic(false)

    /// Milliseconds between two looks at the count: with no hint, and how long and how often after one.
    private static let backstop = 1000
    private static let nearby = 50

    package init(_ log: EventLog) throws(LogError) {
        self.log = log
        directory = try LogError.wrap { () throws(StorageError) in
            try log.environment.fileSystem.watch(log.layout.log)
        }
    }

    /// Waits until ``EventLog/commitCount`` is another than `count`.
    ///
    /// Call ``EventLog/refresh()`` then.
    ///
    /// - Returns: false after `milliseconds` without a commit, or once cancelled.
    package func wait(past count: UInt64, milliseconds: Int) -> Bool {
        var left = max(0, milliseconds)
        var near = 0
        while !isCancelled.load(ordering: .acquiring) {
            if log.commitCount != count { return true }
            guard left > 0 else { return false }
            let slice = min(left, near > 0 ? 1 : Self.backstop)
            // Time is counted in slices: the clock of a simulation may stand still.
            if directory.wait(milliseconds: slice) {
                near = Self.nearby
                left -= 1
            } else {
                near -= 1
                left -= slice
            }
        }
        return false
    }

    /// Ends a wait in another thread; further waits return false at once.
    package func cancel() {
        isCancelled.store(true, ordering: .releasing)
        directory.cancel()
    }
}
