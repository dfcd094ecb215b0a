import Storage

extension BlobStore {
    /// The files of blobs with well-formed names, by id.
    ///
    /// Anything else under blobs/ is for ``verify(progress:)`` to report.
    package func list() throws(LogError) -> [BlobEntry] {
        var entries: [BlobEntry] = []
        for directory in try directories() {
            for name in try names(in: Path.join(layout.blobs, directory)) {
                guard let id = StoreLayout.parse(blob: name), name.hasPrefix(directory), let entry = try entry(of: id) else {
                    continue
                }
                entries.append(entry)
            }
        }
        return entries
    }

    /// Removes unreferenced files, and unfinished ones that nobody works on.
    ///
    /// Names that are not those of blobs are left alone.
    ///
    /// - Parameters:
    ///   - isReferenced: Whether live objects, history or pins name the blob. What was promised to a peer is kept in any case.
    ///   - grace: Milliseconds for which a file is spared, because its transaction may still be on its way. It must be longer
    ///     than any writer takes from the blob to the transaction that names it.
    ///   - dryRun: Counts only.
    package func collect(
        keeping isReferenced: (BlobID) throws -> Bool, olderThan grace: UInt64 = 86_400_000, dryRun: Bool = false
    ) throws -> BlobCollection {
        let now = environment.clock.now()
        let limit = now > grace ? now - grace : 0
        let isOld = { (entry: BlobEntry) in entry.written < limit }
        var result = BlobCollection()
        var touched: Set<String> = []
        for entry in try list() {
            if try isReferenced(entry.id) || copies().isKept(entry.id, now: now) {
                result.kept += 1
            } else if !isOld(entry) {
                result.young += 1
            } else if let removed = try dryRun ? entry : removeUnlessPromised(entry.id, now: now, if: isOld) {
                result.removed += 1
                result.removedBytes += removed.length
                if !dryRun { touched.insert(layout.directory(of: entry.id)) }
            }
        }
        for directory in touched.sorted() {
            try LogError.wrap { () throws(StorageError) in try fileSystem.syncDirectory(directory) }
        }
        for name in try names(in: layout.temporary) where name.hasSuffix(StoreLayout.draftSuffix) {
            let path = Path.join(layout.temporary, name)
            guard let bytes = try removeDraft(path, ifBefore: limit, dryRun) else { continue }
            result.abandoned += 1
            result.abandonedBytes += bytes
        }
        return result
    }

    /// The well-formed names of directories in blobs/.
    func directories() throws(LogError) -> [String] {
        var directories: [String] = []
        for name in try names(in: layout.blobs) where StoreLayout.isBlobDirectory(name) {
            let path = Path.join(layout.blobs, name)
            let found = try LogError.wrap { () throws(StorageError) in try fileSystem.attributes(of: path) }
            if found?.isDirectory == true { directories.append(name) }
        }
        return directories
    }

    /// The names in a directory; none when it is gone.
    func names(in directory: String) throws(LogError) -> [String] {
        do throws(StorageError) {
            return try fileSystem.list(directory)
        } catch {
            guard error.code == .notFound else { throw LogError(error) }
            return []
        }
    }

    /// Removes a file under its lock, if it is still to be removed then; returns what was removed.
    func remove(_ id: BlobID, if isRemovable: (BlobEntry) -> Bool) throws(LogError) -> BlobEntry? {
        let path = layout.path(of: id)
        return try LogError.wrap { () throws(StorageError) in
            guard let (file, found) = try lock(path) else { return nil }
            defer { file.close() }
            let entry = BlobEntry(id: id, length: found.size, written: found.modification / 1_000_000)
            guard isRemovable(entry) else { return nil }
            try fileSystem.remove(path)
            return entry
        }
    }

    /// As ``remove(_:if:)``, unless it was promised to a peer just now, or is about to be.
    private func removeUnlessPromised(
        _ id: BlobID, now: UInt64, if isRemovable: (BlobEntry) -> Bool
    ) throws(LogError) -> BlobEntry? {
        guard let leaving = try beginLeaving(id) else { return nil }
        defer { leaving.stay() }
        return try copies().isKept(id, now: now) ? nil : try remove(id, if: isRemovable)
    }

    /// Removes an unfinished file that was last written before a time, and that no process has locked; returns its bytes.
    ///
    /// The lock ends with the process that writes. The time spares a file between its last byte and its name.
    private func removeDraft(_ path: String, ifBefore limit: UInt64, _ dryRun: Bool) throws(LogError) -> UInt64? {
        do throws(StorageError) {
            guard let found = try fileSystem.attributes(of: path), !found.isDirectory, !found.isSpecial,
                found.modification / 1_000_000 < limit
            else { return nil }
            let file = try fileSystem.open(path, .read)
            defer { file.close() }
            guard try file.tryLock() else { return nil }
            if !dryRun { try fileSystem.remove(path) }
            return found.size
        } catch {
            guard error.code == .notFound else { throw LogError(error) }
            return nil
        }
    }
}
