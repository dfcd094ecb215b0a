import Storage

/// What a trim leaves when it is interrupted.
struct LogLeftovers {
    private let layout: StoreLayout
    private let fileSystem: any FileSystem

    init(_ layout: StoreLayout, _ fileSystem: any FileSystem) {
        self.layout = layout
        self.fileSystem = fileSystem
    }

    /// Removes the segments before one, with the files of large transactions that they name, and baselines that nothing refers to.
    ///
    /// The caller holds the writers' lock.
    func remove(before ordinal: UInt64, keeping baselines: Set<Digest128>) throws(LogError) {
        try LogError.wrap { () throws(StorageError) in
            let names = try fileSystem.list(layout.log)
            let segments = names.filter { StoreLayout.parse(segment: $0).map { $0.ordinal < ordinal } ?? false }
            let unused = names.filter { StoreLayout.parse(baseline: $0).map { !baselines.contains($0) } ?? false }
            guard !segments.isEmpty || !unused.isEmpty else { return }
            let hasStages = try !fileSystem.list(layout.staged).isEmpty
            for name in segments {
                // The files go before the segment that names them, so that none is forgotten.
                if hasStages { try removeStages(namedIn: Path.join(layout.log, name)) }
            }
            if hasStages, !segments.isEmpty { try fileSystem.syncDirectory(layout.staged) }
            for name in segments + unused { try fileSystem.remove(Path.join(layout.log, name)) }
            try fileSystem.syncDirectory(layout.log)
        }
    }

    private func removeStages(namedIn path: String) throws(StorageError) {
        let segment: SegmentFile
        do throws(LogError) { segment = try SegmentFile.open(path, for: .read, in: fileSystem) } catch {
            if let failure = error.underlying { throw failure }
            // One that is damaged names nothing that could be found.
            return
        }
        defer { segment.file.close() }
        var scanner = try GroupScanner(segment.file, salt: segment.header.salt, from: segment.start)
        while let group = try scanner.next() {
            for located in group where located.frame.header.kind == .stageCommit {
                let commit = try StageCommit(try located.frame.body())
                let stage = layout.stage(commit)
                if try fileSystem.attributes(of: stage) != nil { try fileSystem.remove(stage) }
            }
        }
    }
}
