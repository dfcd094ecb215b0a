import Storage

// Which blobs a log names, and the removal of those that nothing names.
extension EventLog {
    /// Removes the blobs that nothing names any more: neither a state, nor the history that is kept, nor what others have been promised.
    ///
    /// Writers of all processes wait meanwhile: what is found unnamed is not named again before it is gone.
    ///
    /// - Parameters:
    ///   - named: what a state of this log names, with everything that its baseline would hold.
    ///   - state: the position of that state.
    ///   - grace: as for ``BlobStore/collect(keeping:olderThan:dryRun:)``.
    /// - Returns: what was done; nil when the history was trimmed beyond the state meanwhile: begin again with a later one.
    /// - Throws: `unsupportedVersion` when the log holds what this version cannot read, `storage`.
    package func collectBlobs(
        in store: BlobStore, keeping named: BlobKeys, at state: LogState, olderThan grace: UInt64 = 86_400_000,
        dryRun: Bool = false
    ) throws -> BlobCollection? {
        var named = named
        try refresh()
        let read = durableState
        let floor = try self.floor(at: read)?.frontLSN ?? 0
        guard floor <= state.position.lastLSN else { return nil }
        try addBlobs(to: &named, after: floor, at: read)
        try flush()
        var result: Result<BlobCollection, any Error>?
        try entered { () throws(LogError) in
            let now = durableState
            guard try self.floor(at: now)?.frontLSN ?? 0 == floor else { return }
            // What was written since: afterwards nobody writes before the lock is given back.
            try addBlobs(to: &named, after: read.position.lastLSN, at: now)
            let known = named
            result = Result { try store.collect(keeping: { known.contains($0) }, olderThan: grace, dryRun: dryRun) }
        }
        return try result?.get()
    }

    /// Adds the blobs that transactions behind an LSN name, what they overwrote included.
    private func addBlobs(to named: inout BlobKeys, after lsn: UInt64, at state: LogState) throws(LogError) {
        guard lsn < state.position.lastLSN else { return }
        var reader = try LogReader(self, state: state, after: lsn)
        var decoder = TransactionDecoder()
        var found: [BlobID] = []
        while let transaction = try reader.next() {
            var parts = try PartReader(transaction, in: self)
            while let part = try parts.next() {
                do throws(StorageError) {
                    for blob in try decoder.namedBlobs(
                        of: part, origin: transaction.branch.origin, sequence: transaction.sequence) where blob.inline == nil
                    {
                        found.append(blob.id)
                    }
                } catch {
                    guard error.code == .newerVersion || error.code == .unsupported else { throw LogError(error) }
                    throw LogError(
                        .unsupportedVersion,
                        "transaction \(transaction.sequence) of \(transaction.branch.origin) was written by a newer version, and may "
                            + "name blobs that this one does not see; let the newer one collect them", path: layout.root)
                }
                guard found.count >= 1 << 14 else { continue }
                named.insert(found)
                found = []
            }
        }
        named.insert(found)
    }
}
