// Invariants
// * The lock `tmp/<id>.leaving` is held from before anybody is asked to keep the blob until it is removed, or stays. Meanwhile no
//   process of the store promises the blob to others: `keep` takes the same lock.
// * So of replicas that remove a blob, each asked by one that was not about to, the last one finds nobody who says yes (SPEC.md, 13.4).
// * The lock ends with the process; an answer that comes afterwards is to a question that nobody asks any more.

import Storage
import Synchronization

/// A blob that is to be removed here once somebody else has promised to keep it.
///
/// ```swift
/// guard let leaving = try blobs.beginLeaving(id) else { … }       // not here, or another process is at it
/// // … ask peers; then
/// try leaving.remove(isPromised: true)                            // or leaving.stay()
/// ```
package final class LeavingBlob: Sendable {
    package let entry: BlobEntry
    private let store: BlobStore
    private let lock: any File
    private let isOver = Mutex(false)

    fileprivate init(_ entry: BlobEntry, in store: BlobStore, lock: any File) {
        self.entry = entry
        self.store = store
        self.lock = lock
    }

    deinit { stay() }

    /// Removes the file, durably; the bytes freed.
    ///
    /// Whatever happens, it is over then.
    /// - Parameters:
    ///   - isPromised: whether somebody promised to keep the blob since this began.
    ///   - force: removes it all the same. The content may be lost for ever.
    /// - Throws: `blobInUse` when neither holds, `blobMissing` when it is gone, `storage`.
    @discardableResult
    package func remove(isPromised: Bool, force: Bool = false) throws(LogError) -> UInt64 {
        defer { stay() }
        let id = entry.id
        guard isPromised || force else {
            throw LogError(
                .blobInUse,
                "blob \(id) may be the only copy: no live peer has promised to keep it; sync with one first, or force it to lose "
                    + "the content", path: store.layout.path(of: id))
        }
        // Noted before: the next sync would bring it back.
        try store.changeCopies { copies, _ in copies.evicted.insert([id]) }
        guard let removed = try store.remove(id, if: { _ in true }) else { throw store.missing(id) }
        let directory = store.layout.directory(of: id)
        try LogError.wrap { () throws(StorageError) in try store.fileSystem.syncDirectory(directory) }
        return removed.length
    }

    /// Leaves the blob where it is.
    package func stay() {
        let isFirst = isOver.withLock { isOver -> Bool in
            defer { isOver = true }
            return !isOver
        }
        guard isFirst else { return }
        // Under its lock: who waits for it looks for the name again. What is left behind goes when the store is opened after a restart.
        try? store.fileSystem.remove(store.layout.leaving(entry.id))
        lock.close()
    }
}

extension BlobStore {
    /// Begins to remove a blob; nil when it is not here, or another process is about to remove or to promise it.
    package func beginLeaving(_ id: BlobID) throws(LogError) -> LeavingBlob? {
        guard try entry(of: id) != nil else { return nil }
        guard let lock = try LogError.wrap({ () throws(StorageError) in try lockLeaving(id) }) else { return nil }
        do throws(LogError) {
            if let entry = try entry(of: id) { return LeavingBlob(entry, in: self, lock: lock) }
        } catch {
            lock.close()
            throw error
        }
        lock.close()
        return nil
    }

    /// Removes a blob at once; see ``LeavingBlob/remove(isPromised:force:)``.
    @discardableResult
    package func evict(_ id: BlobID, isPromised: Bool, force: Bool = false) throws(LogError) -> UInt64 {
        guard try contains(id) else { throw missing(id) }
        guard let leaving = try beginLeaving(id) else {
            throw LogError(
                .blobInUse, "another process is about to remove blob \(id), or to promise it to a peer; try again",
                path: layout.path(of: id))
        }
        return try leaving.remove(isPromised: isPromised, force: force)
    }
}
