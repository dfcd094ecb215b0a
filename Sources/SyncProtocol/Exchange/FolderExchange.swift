// Invariants
// * A store writes only in the subfolder of the replica id it has at that moment, and blobs; files are never changed once they have
//   their name. What others write is read only.
// * Blobs are in the folder before the file that names them, and in the store before the transactions that name them.
// * Nothing in the folder is removed but own files and own baselines, and those only when a whole baseline stands for what was in them, and
//   every replica of the folder that lives has it.
// * Everything is imported before anything is published: so a store that was set back meets its own later transactions in its
//   subfolder, and takes a new replica id, before it publishes under the old one.
// * `found`, `revisited`, `published`, `awaited`, `tables`, `refused`, `heard` and `told` are memory of what was seen, and may be lost at any time.
// * For one thread at a time.

package import EventLog
package import Storage

/// Synchronises a store with a folder that replicas share, by any means: a file server, a program that mirrors folders, a stick.
///
/// ```swift
/// var exchange = FolderExchange("/mnt/shared", log: log, blobs: blobs, in: environment)
/// let report = try exchange.sync()
/// ```
///
/// The format is SPEC.md, section 10. Nothing new costs the listing of directories.
package struct FolderExchange: Sendable {
    let log: EventLog
    let blobs: BlobStore
    let layout: ExchangeLayout
    let environment: Environment
    /// Positions that were looked up in the log, with the branch on whose path they are.
    var found: [Position: BranchRoot] = [:]
    /// Files without their blobs that were compared with what is here.
    var revisited: Set<String> = []
    /// Up to where the log was published the last time.
    var published: (lsn: UInt64, branches: BranchTable)?

    /// Blobs that imported transactions name and that were not there yet.
    var awaited: [BlobID: BlobReference] = [:]

    /// What baselines of the folder say of themselves, by the paths of their tables.
    var tables: [String: BaselineTable] = [:]
    /// Baselines that do not fit, and when that was found.
    var refused: [Digest128: UInt64] = [:]
    /// The latest acknowledgement of each other replica.
    var heard: [ReplicaID: Acknowledgement] = [:]
    /// When each of them was first seen.
    var contacts: [ReplicaID: Acknowledgement.Contact] = [:]
    /// The latest acknowledgement of this replica.
    var told: Acknowledgement?
    /// Which blobs are taken from the folder; this store's own are put there in any case.
    package var policy = BlobPolicy.eager

    /// How many blobs are looked for again by themselves.
    static let mostAwaited = 4096

    struct Position: Hashable, Sendable {
        var origin: ReplicaID
        var position: BranchPosition
    }

    var fileSystem: any FileSystem { environment.fileSystem }

    /// - Parameters:
    ///   - folder: The shared folder, which must exist: a share that is not mounted must not be taken for an empty one.
    ///   - environment: Where the folder is; the store may be elsewhere.
    package init(_ folder: String, log: EventLog, blobs: BlobStore, in environment: Environment) {
        self.log = log
        self.blobs = blobs
        self.environment = environment
        layout = ExchangeLayout(root: folder, dataset: log.dataset)
    }

    /// The datasets that replicas have published in a folder, ascending.
    ///
    /// A store that has neither transactions nor ever synced may be made anew to join one.
    package static func datasets(in folder: String, _ environment: Environment) throws(SyncError) -> [DatasetID] {
        try SyncError.wrap(folder) {
            try Self.checkExists(folder, environment.fileSystem)
            return try environment.fileSystem.list(folder).compactMap { name in
                guard let dataset = ExchangeLayout.dataset(name) else { return nil }
                let replicas = ExchangeLayout(root: folder, dataset: dataset).replicas
                return try environment.fileSystem.attributes(of: replicas)?.isDirectory ?? false ? dataset : nil
            }
        }
    }

    /// The directories in which something may appear that a store lacks: all but its own.
    package static func watched(_ folder: String, _ log: EventLog, _ environment: Environment) -> [String] {
        let layout = ExchangeLayout(root: folder, dataset: log.dataset)
        let names = (try? environment.fileSystem.names(in: layout.replicas)) ?? []
        let others = names.compactMap { ExchangeLayout.replica($0) }.filter { $0 != log.replica }
        return [layout.replicas] + others.map { layout.directory(of: $0) }
    }

    /// Takes in what is new in the folder, then publishes what is new here.
    ///
    /// - Parameter verifying: reads every file in the folder. One that is damaged, or not whole, is reported and counts for nothing: what it
    /// should hold is published again if this store has it.
    /// - Throws: ``SyncError``; what was done before stays done, and the next call goes on from there.
    package mutating func sync(
        verifying: Bool = false, steps: ExchangeSteps = ExchangeSteps()
    ) throws(SyncError) -> ExchangeReport {
        var report = try receive(steps: steps)
        try publish(verifying: verifying, steps: steps, &report)
        return report
    }

    /// Takes in what is new in the folder, and publishes nothing.
    package mutating func receive(steps: ExchangeSteps = ExchangeSteps()) throws(SyncError) -> ExchangeReport {
        var report = ExchangeReport()
        try SyncError.wrap(layout.root) {
            try Self.checkExists(layout.root, fileSystem)
            try receive(steps, &report)
        }
        return report
    }

    /// Publishes what is new here; everything was received first.
    ///
    /// - Parameter report: that of ``receive(steps:)``, to which it adds.
    package mutating func publish(
        verifying: Bool = false, steps: ExchangeSteps = ExchangeSteps(), _ report: inout ExchangeReport
    ) throws(SyncError) {
        try SyncError.wrap(layout.root) {
            try Self.checkExists(layout.root, fileSystem)
            try publish(verifying: verifying, steps, &report)
        }
    }

    /// Fetches blobs on demand; those that are not in the folder are counted as elsewhere.
    ///
    /// An exchange looks by itself for blobs that it has missed before. This is for those that an earlier process has missed.
    package func fetch(_ wanted: [BlobReference]) throws(SyncError) -> ExchangeReport {
        try SyncError.wrap(layout.root) {
            try Self.checkExists(layout.root, fileSystem)
            var arriving = BlobImport(into: blobs, from: FolderBlobs(layout: layout, fileSystem: fileSystem))
            for reference in wanted { try arriving.take(reference, isDemanded: true) }
            return try arriving.finish()
        }
    }

    /// Remembers blobs that are not there yet.
    mutating func remember(_ missed: [BlobReference]) {
        for reference in missed where awaited.count < Self.mostAwaited { awaited[reference.id] = reference }
    }

    /// Whether a blob is in the folder, every byte of it.
    package func holds(_ reference: BlobReference) throws(SyncError) -> Bool {
        try SyncError.wrap(layout.root) {
            try Self.checkExists(layout.root, fileSystem)
            guard let content = try? FolderBlobs(layout: layout, fileSystem: fileSystem).open(reference) else { return false }
            defer { content.close() }
            var hasher = BlobHasher()
            var buffer = [UInt8](repeating: 0, count: BlobFormat.chunkSize)
            while true {
                var span = buffer.mutableSpan
                guard let count = try? content.read(into: &span, at: hasher.length) else { return false }
                hasher.update(buffer.span.extracting(0..<count))
                if count < buffer.count { break }
            }
            return hasher.finalize() == reference.id
        }
    }

    private static func checkExists(_ folder: String, _ fileSystem: any FileSystem) throws {
        guard try fileSystem.isDirectory(folder) else {
            throw SyncError(.folder, "there is no folder \(folder); create it, or mount the share it is on")
        }
        // Files of a log among those of others would be lost with them.
        guard try fileSystem.attributes(of: Path.join(folder, "IDENTITY")) == nil else {
            throw SyncError(
                .notAFolder, "\(folder) is a store, not a folder to share; name it without 'folder:' to sync with it")
        }
    }
}
