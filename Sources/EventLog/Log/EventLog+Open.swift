package import Storage

extension EventLog {
    /// Opens a store and mends what a crash left, or, for reading only, shows what can be read.
    ///
    /// - Throws: `notFound`, `notAStore`, `unsupportedVersion`, or `corrupt` when acknowledged data is damaged: then nothing was changed
    ///   and the store can still be opened for reading.
    package static func open(
        at path: String, in environment: Environment, mode: Mode = .readWrite, sizes: LogSizes = LogSizes()
    ) throws(LogError) -> EventLog {
        let layout = StoreLayout(root: path)
        var identity = try readIdentity(layout, environment.fileSystem)
        guard mode == .readWrite else { return try openReadOnly(layout, environment, identity, sizes) }
        let shared = try LogError.wrap { () throws(StorageError) in
            SharedState(
                page: try environment.fileSystem.sharedPage(layout.shared, words: SharedState.words),
                boot: environment.host.boot)
        }
        let lock = try LogError.wrap { () throws(StorageError) in
            let lock = try WriterLock(layout: layout, in: environment.fileSystem)
            try lock.acquire()
            return lock
        }
        do throws(LogError) {
            // Another process may have changed it before we had the lock.
            identity = try readIdentity(layout, environment.fileSystem)
            let (tail, report) = try recover(layout, environment, &identity, shared, sizes)
            try LogError.wrap { () throws(StorageError) in try lock.release() }
            return EventLog(
                layout: layout, environment: environment, mode: .readWrite, identity: identity, tail: tail, shared: shared,
                lock: lock,
                recovery: report)
        } catch {
            lock.close()
            throw error
        }
    }

    private static func recover(
        _ layout: StoreLayout, _ environment: Environment, _ identity: inout StoreIdentity, _ shared: SharedState,
        _ sizes: LogSizes
    ) throws(LogError) -> (LogTail, RecoveryReport) {
        let attributes = try LogError.wrap { () throws(StorageError) in
            try environment.fileSystem.attributes(of: layout.lock) ?? FileAttributes()
        }
        let fingerprint = StoreIdentity.Fingerprint(lock: attributes, host: environment.host)
        let isCopy = fingerprint != identity.fingerprint
        let isVouchedFor = shared.isValid && !isCopy
        try makeDirectories(layout, environment.fileSystem)
        try clearTemporary(layout, environment.fileSystem, isAlone: isCopy || !shared.isOfThisBoot)
        var tail = try LogTail.open(layout, environment, identity: identity, for: .readWrite, sizes: sizes)
        var report = try tail.recover(wasInterrupted: !isVouchedFor, shared)
        if isCopy {
            report.newReplica = "the store was copied, restored, or moved to another machine"
        } else if report.tail == .torn || report.tail == .uncertain {
            report.newReplica = "the end of the log was cut off"
        } else if report.wasUnclean {
            report.newReplica = "the machine stopped while the store was open"
        }
        if report.newReplica != nil {
            identity.renew(fingerprint, tail.state.branches, environment.random)
            let contents = identity.encode()
            try LogError.wrap { () throws(StorageError) in try environment.fileSystem.replace(layout.identity, with: contents) }
        }
        // What an interrupted trim left; the next opening tries again where that fails.
        let baselines = Set(tail.state.joined.map(\.identity) + [tail.manifest.baseline].compactMap(\.self))
        try? LogLeftovers(layout, environment.fileSystem).remove(before: tail.manifest.firstOrdinal, keeping: baselines)
        if !isVouchedFor || report.newReplica != nil {
            shared.reset(to: tail, replica: identity.replica)
        } else {
            shared.publish(tail.position)
        }
        return (tail, report)
    }

    private static func openReadOnly(
        _ layout: StoreLayout, _ environment: Environment, _ identity: StoreIdentity, _ sizes: LogSizes
    ) throws(LogError) -> EventLog {
        var tail = try LogTail.open(layout, environment, identity: identity, for: .read, sizes: sizes)
        var report = RecoveryReport()
        // A writer may be at work: show only what it says is durable.
        if let limit = SharedState.published(in: layout, environment.fileSystem, boot: environment.host.boot) {
            try tail.follow(to: limit)
            if limit.isAhead(of: tail.position) { report.tail = .uncertain }
        } else if try tail.evidence(try tail.follow()).verdict != .clean {
            report.tail = .uncertain
        }
        return EventLog(
            layout: layout, environment: environment, mode: .readOnly, identity: identity, tail: tail, shared: nil, lock: nil,
            recovery: report)
    }

    static func readIdentity(_ layout: StoreLayout, _ fileSystem: any FileSystem) throws(LogError) -> StoreIdentity {
        guard try LogError.wrap({ () throws(StorageError) in try fileSystem.attributes(of: layout.root) }) != nil else {
            throw LogError(.notFound, "there is no store; create it first", path: layout.root)
        }
        guard try LogError.wrap({ () throws(StorageError) in try fileSystem.isDirectory(layout.root) }) else {
            throw LogError(.notAStore, "this is a file, not a store", path: layout.root)
        }
        let bytes: [UInt8]
        do throws(StorageError) {
            bytes = try fileSystem.readWhole(layout.identity, limit: 4096)
        } catch {
            guard error.code == .notFound else { throw LogError(error) }
            throw LogError(
                .notAStore, "this directory is not a store: it has no IDENTITY; if it was one, restore that file from a backup",
                path: layout.root)
        }
        return try StoreIdentity(bytes, path: layout.identity)
    }

    /// Makes the directories that are missing: git and zip leave out empty ones.
    private static func makeDirectories(_ layout: StoreLayout, _ fileSystem: any FileSystem) throws(LogError) {
        try LogError.wrap { () throws(StorageError) in
            var isChanged = false
            for directory in layout.directories where try fileSystem.attributes(of: directory) == nil {
                try fileSystem.createDirectory(directory)
                isChanged = true
            }
            if isChanged { try fileSystem.syncDirectory(layout.root) }
        }
    }

    /// Removes what unfinished work left.
    ///
    /// While other processes may be at work, only what is surely old would go, so nothing does.
    private static func clearTemporary(_ layout: StoreLayout, _ fileSystem: any FileSystem, isAlone: Bool) throws(LogError) {
        guard isAlone else { return }
        try LogError.wrap { () throws(StorageError) in
            for name in try fileSystem.list(layout.temporary) { try fileSystem.removeTree(Path.join(layout.temporary, name)) }
        }
    }
}

extension StoreIdentity {
    /// Takes a new replica id; the old one is remembered as the former if it ever wrote.
    mutating func renew(_ fingerprint: Fingerprint, _ branches: BranchTable, _ random: any RandomSource) {
        if branches.branches(of: replica).contains(where: { branches.branches[$0].last.sequence > 0 }) { former = replica }
        replica = ReplicaID(from: random)
        self.fingerprint = fingerprint
    }
}
