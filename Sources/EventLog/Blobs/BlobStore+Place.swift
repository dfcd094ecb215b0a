import Storage
import Synchronization

extension BlobStore {
    /// Gives a synced draft the name of its content, or drops it when that is here already; returns the directory to settle.
    func place(_ draft: String, as id: BlobID, _ length: UInt64) throws(LogError) -> String {
        let directory = layout.directory(of: id)
        try LogError.wrap { () throws(StorageError) in
            try prepare(directory)
            try rename(draft, to: layout.path(of: id), in: directory, length)
        }
        return directory
    }

    /// Makes the names in a directory durable.
    func settle(_ directory: String) throws(LogError) {
        do throws(StorageError) {
            try fileSystem.syncDirectory(directory)
        } catch {
            // Which of the names are durable is unknown now, and a later sync may say yes without knowing.
            state.withLock { _ = $0.suspect.insert(directory) }
            throw LogError(error)
        }
    }

    /// Creates a directory in blobs/, durably, once per process: another process that made it may not have synced it yet.
    private func prepare(_ directory: String) throws(StorageError) {
        if state.withLock({ $0.durable.contains(directory) }) { return }
        try fileSystem.createDirectory(directory)
        do throws(StorageError) {
            try fileSystem.syncDirectory(layout.blobs)
        } catch {
            // Made again next time, because a sync after a failed one proves nothing. If others use it, it stays.
            try? fileSystem.removeDirectory(directory)
            throw error
        }
        state.withLock { _ = $0.durable.insert(directory) }
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
