import EventLog

extension Store {
    /// Folds the whole log anew, and answers from that; what was materialised before is not looked at.
    ///
    /// Nothing needs it: what is missing or damaged is made anew by itself.
    ///
    /// - Throws: ``StoreError`` `corrupt` for a log that cannot be read.
    public func rebuild() async throws {
        let engine = engine
        try await engine.background.run {
            try engine.checkReadable()
            try engine.records.measure(.rebuild) { _ in try engine.exclusively { try engine.rebuild() } }
        }
    }

    /// Makes one run of all that the store answers from, without what newer versions have superseded, and removes the blobs that
    /// nothing names any more.
    ///
    /// A blob stays that a live object, the history above the floor, a snapshot that this process holds or a peer's reliance on it needs,
    /// and one that is younger than a day: its transaction may be on its way.
    ///
    /// Runs are merged by themselves; this is for a store that is to be as small as it can be. The history is not touched; ``trim(before:force:)`` is for that.
    ///
    /// Reads go on meanwhile; writes of this store wait.
    ///
    /// - Throws: ``StoreError`` `storage` when there is no room, `busy` while another process writes its runs.
    @discardableResult
    public func compact() async throws -> BlobCollection {
        let engine = engine
        return try await engine.background.run {
            try engine.checkReadable()
            try engine.records.measure(.compaction) { _ in try engine.exclusively { try engine.compact() } }
            return try engine.collectBlobs()
        }
    }
}
