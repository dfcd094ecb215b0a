import Storage
import Synchronization

extension BlobStore {
    /// Gives a synced draft the name of its content; returns the directory to settle.
    ///
    /// A file of that name is replaced even though it should have the same content: it may be damaged, or its name not durable,
    /// or old enough for a collection to be about to remove it.
    func place(_ draft: String, as id: BlobID) throws(LogError) -> String {
        let directory = layout.directory(of: id)
        guard !state.withLock({ $0.lost.contains(directory) }) else {
            throw LogError(
                .readOnly,
                "a sync failed that should have made this directory durable, so it takes no more blobs; "
                    + "check the disk, then open the store again", path: directory)
        }
        try LogError.wrap { () throws(StorageError) in
            try fileSystem.createDirectory(directory)
            let path = layout.path(of: id)
            let replaced = try lock(path)
            defer { replaced?.file.close() }
            try fileSystem.rename(draft, to: path)
        }
        return directory
    }

    /// Makes the names in a directory durable, and its own.
    func settle(_ directory: String) throws(LogError) {
        try LogError.wrap { () throws(StorageError) in
            do throws(StorageError) {
                try fileSystem.syncDirectory(directory)
            } catch {
                state.withLock { $0.failedSyncs += 1 }
                throw error
            }
            // Once per process: another one that made it may not have synced it yet. After the sync of its contents this
            // costs no second flush on a journalling file system.
            if state.withLock({ $0.durable.contains(directory) }) { return }
            do throws(StorageError) {
                try fileSystem.syncDirectory(layout.blobs)
            } catch {
                state.withLock { state in
                    state.failedSyncs += 1
                    state.lost.insert(directory)
                }
                throw error
            }
            state.withLock { _ = $0.durable.insert(directory) }
        }
    }

    /// Opens and locks the file that a name stands for; nil when there is none, or something that is not a file.
    ///
    /// Looks again after the wait: the name may stand for another file by then, whose lock is the one that counts.
    func lock(_ path: String) throws(StorageError) -> (file: any File, attributes: FileAttributes)? {
        while let before = try fileSystem.attributes(of: path), !before.isSpecial {
            do throws(StorageError) {
                let file = try fileSystem.open(path, .read)
                try file.lock()
                if let now = try fileSystem.attributes(of: path), now.inode == before.inode, now.birth == before.birth {
                    return (file, now)
                }
                file.close()
            } catch {
                guard error.code == .notFound else { throw error }
            }
        }
        return nil
    }
}
