// Invariants
// * Every watched directory has a thread that waits for it, and ends when its watcher is cancelled.
// * What is heard is a hint: on a network file system nothing may be heard of what other machines write.

import Storage
import Synchronization

/// Hears of changes in the directories of a shared folder.
final class FolderWatch: Sendable {
    private let fileSystem: any FileSystem
    private let changed: @Sendable () -> Void
    private let watchers = Mutex<[String: any DirectoryWatcher]>([:])

    /// Directories beyond this many are found by looking at all of them now and then.
    private static let most = 64
    /// Milliseconds after which a thread looks whether it is still wanted.
    private static let patience = 60_000

    /// - Parameter changed: called from the threads that wait.
    init(_ fileSystem: any FileSystem, changed: @escaping @Sendable () -> Void) {
        self.fileSystem = fileSystem
        self.changed = changed
    }

    /// Watches just these directories from now on.
    func follow(_ directories: [String]) {
        let wanted = Set(directories.prefix(Self.most))
        let (known, unwanted) = watchers.withLock { watchers in
            let unwanted = watchers.filter { !wanted.contains($0.key) }
            for path in unwanted.keys { watchers[path] = nil }
            return (Set(watchers.keys), unwanted.values)
        }
        for watcher in unwanted { watcher.cancel() }
        for path in wanted.subtracting(known) { watch(path) }
    }

    func end() { follow([]) }

    /// A directory that cannot be watched is found by looking, too.
    private func watch(_ path: String) {
        guard let watcher = try? fileSystem.watch(path) else { return }
        watchers.withLock { $0[path] = watcher }
        do throws(StorageError) {
            try WorkerThreads.run { [self] in
                while isWanted(path, watcher) {
                    if watcher.wait(milliseconds: Self.patience), isWanted(path, watcher) { changed() }
                }
            }
        } catch {
            watchers.withLock { $0[path] = nil }
        }
    }

    private func isWanted(_ path: String, _ watcher: any DirectoryWatcher) -> Bool {
        watchers.withLock { $0[path] === watcher }
    }
}
