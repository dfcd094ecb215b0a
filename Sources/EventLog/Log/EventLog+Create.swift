package import Storage

extension EventLog {
    /// Makes an empty store and opens it.
    ///
    /// Of several processes that do so at once one makes it.
    ///
    /// - Parameter dataset: the dataset to join; a new one without.
    /// - Throws: `alreadyExists` when something is there already, or another process was quicker.
    package static func create(
        at path: String, in environment: Environment, dataset: DatasetID? = nil, sizes: LogSizes = LogSizes()
    ) throws(LogError) -> EventLog {
        let layout = StoreLayout(root: path)
        try prepareRoot(layout, environment.fileSystem)
        // Whoever makes a store holds its lock, so that nobody clears away what another is making.
        let lock = try LogError.wrap { () throws(StorageError) in try environment.fileSystem.open(layout.lock, .create) }
        do throws(LogError) {
            try LogError.wrap { () throws(StorageError) in try lock.lock() }
            try make(layout, environment, dataset, sizes)
            lock.close()
        } catch {
            lock.close()
            throw error
        }
        return try open(at: path, in: environment, sizes: sizes)
    }

    /// The caller holds the writers' lock.
    private static func make(
        _ layout: StoreLayout, _ environment: Environment, _ dataset: DatasetID?, _ sizes: LogSizes
    ) throws(LogError) {
        try prepareDirectories(layout, environment.fileSystem)
        let attributes = try LogError.wrap { () throws(StorageError) in
            for name in [layout.lock, layout.next] {
                let file = try environment.fileSystem.open(name, .create)
                try file.sync()
                file.close()
            }
            try environment.fileSystem.syncDirectory(layout.root)
            return try environment.fileSystem.attributes(of: layout.lock) ?? FileAttributes()
        }
        let identity = StoreIdentity(
            dataset: dataset ?? DatasetID(from: environment.random),
            log: Digest128(high: environment.random.next(), low: environment.random.next()),
            replica: ReplicaID(from: environment.random),
            fingerprint: StoreIdentity.Fingerprint(lock: attributes, host: environment.host))
        let nowhere = LogPosition(ordinal: 0, offset: 0, group: 0, link: 0, nextLSN: 1)
        var first = try LogTail.createSegment(
            after: LogState(dataset: identity.dataset, position: nowhere), in: layout, environment, log: identity.log,
            sizes: sizes, created: environment.clock.now())
        let mark = Watermark(
            isClean: true, counter: 0, end: first.state.position.offset, lastLSN: 0, group: first.state.position.group,
            link: first.state.position.link, checkpoint: first.state.checkpoint)
        let manifest = Manifest(log: identity.log, firstOrdinal: 1, lastOrdinal: 1)
        try LogError.wrap { () throws(StorageError) in
            try first.segment.write(mark)
            try first.segment.file.sync()
            first.segment.file.close()
            try environment.fileSystem.replace(layout.manifest, with: manifest.encode())
            // The store exists from here on.
            try environment.fileSystem.replace(layout.identity, with: identity.encode())
        }
    }

    /// Makes the directory, or checks that nothing is in it that is not a store's to have.
    private static func prepareRoot(_ layout: StoreLayout, _ fileSystem: any FileSystem) throws(LogError) {
        let isFile = try LogError.wrap { () throws(StorageError) in
            guard try fileSystem.attributes(of: layout.root) != nil else { return false }
            return try !fileSystem.isDirectory(layout.root)
        }
        guard !isFile else {
            throw LogError(.alreadyExists, "there is a file already; choose another place for the store", path: layout.root)
        }
        try LogError.wrap { () throws(StorageError) in try fileSystem.createDirectories(layout.root) }
        _ = try leftNames(layout, fileSystem)
    }

    /// Clears away what an interrupted creation left, and makes the directories.
    private static func prepareDirectories(_ layout: StoreLayout, _ fileSystem: any FileSystem) throws(LogError) {
        let names = try leftNames(layout, fileSystem)
        guard try !holdsTransactions(layout, fileSystem) else {
            throw LogError(
                .alreadyExists,
                "this is the log of a store whose IDENTITY is gone; restore that file from a backup, or choose another place",
                path: layout.root)
        }
        try LogError.wrap { () throws(StorageError) in
            for name in names where name != "LOCK" && name != "NEXT" { try fileSystem.removeTree(Path.join(layout.root, name)) }
            for directory in layout.directories { try fileSystem.createDirectory(directory) }
            try fileSystem.syncDirectory(layout.root)
        }
    }

    /// What is in the directory, as long as an interrupted creation may have left it; anything else is not ours to touch.
    private static func leftNames(_ layout: StoreLayout, _ fileSystem: any FileSystem) throws(LogError) -> [String] {
        let names = try LogError.wrap { () throws(StorageError) in try fileSystem.list(layout.root) }
        guard !names.contains("IDENTITY") else {
            throw LogError(.alreadyExists, "there is a store already", path: layout.root)
        }
        let ours: Set = [
            "LOCK", "NEXT", "SHARED", "MANIFEST", "MANIFEST.tmp", "IDENTITY.tmp", "log", "staged", "blobs", "quarantine", "tmp",
        ]
        guard names.allSatisfy({ ours.contains($0) }) else {
            throw LogError(.alreadyExists, "the directory is not empty; choose another place for the store", path: layout.root)
        }
        return names
    }

    /// Whether a log is there to which something was written: an interrupted creation leaves its first segment at most, as it was made.
    private static func holdsTransactions(_ layout: StoreLayout, _ fileSystem: any FileSystem) throws(LogError) -> Bool {
        let names = try LogError.wrap { () throws(StorageError) in
            try fileSystem.attributes(of: layout.log) == nil ? [] : try fileSystem.list(layout.log)
        }
        let segments = names.compactMap { StoreLayout.parse(segment: $0) }
        guard let first = segments.first else { return false }
        guard segments.count == 1, first.ordinal == 1 else { return true }
        do throws(LogError) {
            let path = layout.segment(ordinal: first.ordinal, firstLSN: first.firstLSN)
            let segment = try SegmentFile.open(path, for: .read, in: fileSystem)
            defer { segment.file.close() }
            return try LogError.wrap { () throws(StorageError) in
                var scanner = try GroupScanner(segment.file, salt: segment.header.salt, from: segment.start)
                // The first group is the index that every segment begins with.
                guard try scanner.next() != nil else { return true }
                return try scanner.next() != nil
            }
        } catch {
            guard error.code == .corrupt || error.code == .unsupportedVersion else { throw error }
            return true
        }
    }
}
