import Synchronization

/// Waits for changes in a directory by looking at it every few milliseconds, where the system has nothing better.
package final class PollingWatcher: DirectoryWatcher {
    private let fileSystem: any FileSystem
    private let directory: String
    private let signal = WakeSignal()
    private let state: Mutex<State>

    private struct State {
        var seen: [String: FileAttributes]
        var isCancelled = false
    }

    /// Milliseconds between two looks.
    private static let interval = 20

    package init(fileSystem: any FileSystem, directory: String) throws(StorageError) {
        self.fileSystem = fileSystem
        self.directory = directory
        state = Mutex(State(seen: try Self.look(fileSystem, directory)))
    }

    package func wait(milliseconds: Int) -> Bool {
        var left = max(0, milliseconds)
        while true {
            let ticket = signal.generation
            if state.withLock({ $0.isCancelled }) { return false }
            // A directory that cannot be read any more has changed, too.
            let now = (try? Self.look(fileSystem, directory)) ?? [:]
            let isChanged = state.withLock { state in
                defer { state.seen = now }
                return state.seen != now
            }
            if isChanged { return true }
            if left == 0 { return false }
            let pause = min(left, Self.interval)
            signal.wait(past: ticket, milliseconds: pause)
            left -= pause
        }
    }

    package func cancel() {
        state.withLock { $0.isCancelled = true }
        signal.advance()
    }

    private static func look(
        _ fileSystem: any FileSystem, _ directory: String
    ) throws(StorageError) -> [String: FileAttributes] {
        var seen: [String: FileAttributes] = [:]
        for name in try fileSystem.list(directory) {
            seen[name] = try fileSystem.attributes(of: Path.join(directory, name))
        }
        return seen
    }
}
