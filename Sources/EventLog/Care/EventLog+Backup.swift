import Storage

extension EventLog {
    /// Copies what of this store is durable now to another place on the same file system seam, while it goes on being used.
    ///
    /// The copy is a store that was closed: its segments up to the durable end, the stage files they refer to, and every blob that is
    /// here. Opened for writing, it takes a new replica id, so both may write and sync. Writers are not stopped, nor waited
    /// for. Everything is made durable beside the destination and then renamed, so that a crash leaves the whole copy there or
    /// nothing; what it leaves beside it goes with the next backup to the same place. Whether what was copied is sound is for
    /// ``verify(progress:)`` of the copy to say.
    ///
    /// - Parameters:
    ///   - path: Where to; nothing or an empty directory may be there.
    ///   - progress: Called after each piece of up to a megabyte with bytes done and in all; what it throws ends the work.
    /// - Throws: ``LogError``: `alreadyExists`, `notFound` when the directory that is to hold the copy is missing, `corrupt` when the
    ///   end of the log cannot be read, `storage` (a full disk, for one). Nothing is left behind then.
    @discardableResult
    package func backup(
        to path: String, progress: (_ done: UInt64, _ total: UInt64) throws -> Void = { _, _ in }
    ) throws -> LogBackup {
        try withoutActuallyEscaping(progress) { progress in
            let copier = StoreCopier(from: layout, to: path, in: environment, sizes: sizes, progress: progress)
            do {
                return try copier.run()
            } catch let error as StorageError {
                throw LogError(error)
            }
        }
    }
}
