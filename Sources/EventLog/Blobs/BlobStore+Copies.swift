import Storage
import Synchronization

// What is remembered of blobs in other places, and what was promised to others.
extension BlobStore {
    /// What the store remembers of blobs elsewhere.
    ///
    /// - Throws: `corrupt` for a damaged file.
    package func copies() throws(LogError) -> BlobCopies {
        let path = layout.copies
        let found = try LogError.wrap { () throws(StorageError) in try fileSystem.attributes(of: path) }
        guard let found else { return BlobCopies() }
        if let known = remembered.withLock({ $0 }), known.attributes == found { return known.copies }
        let copies = try readCopies()
        remembered.withLock { $0 = (found, copies) }
        return copies
    }

    /// Changes that, durably; one process at a time.
    package func changeCopies(_ change: (inout BlobCopies, _ now: UInt64) throws(LogError) -> Void) throws(LogError) {
        let lock = try LogError.wrap { () throws(StorageError) in
            let lock = try fileSystem.open("\(layout.temporary)/copies.lock", .create)
            do throws(StorageError) { try lock.lock() } catch {
                lock.close()
                throw error
            }
            return lock
        }
        defer { lock.close() }
        let before = try readCopies()
        var copies = before
        try change(&copies, environment.clock.now())
        guard copies != before else { return }
        let contents = copies.encode()
        try LogError.wrap { () throws(StorageError) in try fileSystem.replace(layout.copies, with: contents) }
    }

    private func readCopies() throws(LogError) -> BlobCopies {
        let bytes: [UInt8]
        do throws(StorageError) {
            bytes = try fileSystem.readWhole(layout.copies, limit: BlobCopies.maximumSize)
        } catch {
            guard error.code == .notFound else { throw LogError(error) }
            return BlobCopies()
        }
        return try BlobCopies(bytes, path: layout.copies)
    }

    /// Promises a peer to keep blobs for it, of which it may then remove its own; those that are promised, durably on return.
    ///
    /// Left out are blobs that are not here whole, and those that a process of this store is about to remove: see ``LeavingBlob``.
    package func keep(_ wanted: [BlobReference], for peer: ReplicaID) throws(LogError) -> [BlobID] {
        var locks: [any File] = []
        // Only now may one of the store's processes begin to remove one.
        defer { for lock in locks { lock.close() } }
        var kept: [BlobID] = []
        var directories: Set<String> = []
        for reference in wanted where !kept.contains(reference.id) {
            guard let found = try entry(of: reference.id), found.length == reference.length else { continue }
            guard let lock = try LogError.wrap({ () throws(StorageError) in try lockLeaving(reference.id) }) else { continue }
            locks.append(lock)
            guard try entry(of: reference.id)?.length == reference.length else { continue }
            kept.append(reference.id)
            directories.insert(layout.directory(of: reference.id))
        }
        guard !kept.isEmpty else { return [] }
        // It may have come just now, under a name that a power cut would take back.
        for directory in directories.sorted() { try settle(directory) }
        var promised = kept
        try changeCopies { copies, now in
            copies.note(peer, now: now) { known in
                if known.kept.count + kept.count > BlobCopies.mostKeys {
                    promised = kept.filter { known.kept.contains($0) }
                } else {
                    known.kept.insert(kept)
                }
                known.here.remove(promised)
            }
        }
        return promised
    }

    /// Whether a blob is to be fetched without being asked for: it is not here, and was not removed on purpose.
    package func isLacking(_ id: BlobID) throws(LogError) -> Bool {
        guard try !contains(id) else { return false }
        return try !copies().evicted.contains(id)
    }

    /// Takes the lock that says that a blob of this store is about to leave; nil when somebody has it.
    ///
    /// Closing the file gives it back; ``LeavingBlob`` removes it as well.
    func lockLeaving(_ id: BlobID) throws(StorageError) -> (any File)? {
        let path = layout.leaving(id)
        while true {
            try fileSystem.open(path, .create).close()
            guard let before = try fileSystem.attributes(of: path) else { continue }
            let file: any File
            do throws(StorageError) {
                file = try fileSystem.open(path, .read)
            } catch {
                guard error.code == .notFound else { throw error }
                continue
            }
            do throws(StorageError) {
                guard try file.tryLock() else {
                    file.close()
                    return nil
                }
                // The name may stand for another file by now, whose lock is the one that counts.
                if let now = try fileSystem.attributes(of: path), now.inode == before.inode, now.birth == before.birth {
                    return file
                }
            } catch {
                file.close()
                throw error
            }
            file.close()
        }
    }
}
