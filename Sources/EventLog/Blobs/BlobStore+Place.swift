import Storage
import Synchronization

extension BlobStore {
    /// Gives a synced draft the name of its content, or drops it when that is here already; returns the directory to settle.
    func place(_ draft: String, as id: BlobID, _ length: UInt64) throws(LogError) -> String {
        let directory = layout.directory(of: id)
        guard !state.withLock({ $0.lost.contains(directory) }) else {
            throw LogError(
                .readOnly,
                "a sync failed that should have made this directory durable, so it takes no more blobs; "
                    + "check the disk, then open the store again", path: directory)
        }
        try LogError.wrap { () throws(StorageError) in
            try fileSystem.createDirectory(directory)
            try rename(draft, to: layout.path(of: id), in: directory, length)
        }
        return directory
    }

    /// Makes the names in a directory durable, and its own.
    func settle(_ directory: String) throws(LogError) {
        try LogError.wrap { () throws(StorageError) in
            do throws(StorageError) {
                try fileSystem.syncDirectory(directory)
            } catch {
                // Which of the names are durable is unknown now, and a later sync may say yes without knowing.
                state.withLock { _ = $0.suspect.insert(directory) }
                throw error
            }
            // Once per process: another one that made it may not have synced it yet. After the sync of its contents this
            // costs no second flush on a journalling file system.
            if state.withLock({ $0.durable.contains(directory) }) { return }
            do throws(StorageError) {
                try fileSystem.syncDirectory(layout.blobs)
            } catch {
                state.withLock { _ = $0.lost.insert(directory) }
                throw error
            }
            state.withLock { _ = $0.durable.insert(directory) }
        }
    }

    private func rename(_ draft: String, to path: String, in directory: String, _ length: UInt64) throws(StorageError) {
        guard let existing = try openIfPresent(path) else { return try fileSystem.rename(draft, to: path) }
        defer { existing.close() }
        try existing.lock()
        let isSuspect = state.withLock { $0.suspect.contains(directory) }
        if !isSuspect, let found = try fileSystem.attributes(of: path), found.size == length, isFresh(found) {
            try fileSystem.remove(draft)
        } else {
            try fileSystem.rename(draft, to: path)
        }
    }

    private func openIfPresent(_ path: String) throws(StorageError) -> (any File)? {
        guard let found = try fileSystem.attributes(of: path), !found.isSpecial else { return nil }
        do throws(StorageError) {
            return try fileSystem.open(path, .read)
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }

    private func isFresh(_ found: FileAttributes) -> Bool {
        found.modification / 1_000_000 + Self.freshness > environment.clock.now()
    }
}
