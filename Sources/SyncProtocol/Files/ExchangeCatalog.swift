// Invariants
// * Only what has the name of a replica is listed, only names that end as ours do are looked at, and nothing is opened that is not a plain
//   file: a shared folder may hold anything.

import EventLog
import Storage

/// What the listing of a shared folder shows of a dataset.
struct ExchangeCatalog {
    private(set) var entries: [ExchangeEntry] = []
    /// Files that end as ours do and are not, or not yet, any.
    private(set) var skipped: [ExchangeReport.SkippedFile] = []
    /// Whose subfolders there are, ascending.
    private(set) var replicas: [ReplicaID] = []
    /// The numbers of each replica's acknowledgements.
    private(set) var acknowledgements: [ReplicaID: [UInt64]] = [:]
    /// Baselines, by the subfolder and in it by the identity.
    private(set) var baselines: [BaselineEntry] = []

    /// Lists the folder.
    ///
    /// - Throws: only when the folder itself cannot be listed; what is wrong with a part of it is noted in ``skipped``.
    init(_ layout: ExchangeLayout, in fileSystem: any FileSystem, dataset: DatasetID) throws(StorageError) {
        for name in try fileSystem.names(in: layout.replicas) {
            guard let replica = ExchangeLayout.replica(name) else { continue }
            let directory = layout.directory(of: replica)
            do throws(StorageError) {
                guard try fileSystem.attributes(of: directory)?.isDirectory ?? false else { continue }
                replicas.append(replica)
                var found: [Digest128: BaselineEntry] = [:]
                for file in try fileSystem.names(in: directory) {
                    if file.hasSuffix(ExchangeFormat.suffix) {
                        note(file, of: replica, in: directory, fileSystem, dataset)
                    } else if let number = ExchangeFormat.acknowledgement(file) {
                        acknowledgements[replica, default: []].append(number)
                    } else if let (identity, bodies) = ExchangeFormat.table(file) {
                        found[identity, default: BaselineEntry(identity, replica, directory)].bodies = bodies
                    } else if let (identity, bodies) = ExchangeFormat.piece(file) {
                        found[identity, default: BaselineEntry(identity, replica, directory)].pieces.insert(bodies)
                    }
                }
                baselines += found.values.sorted { $0.identity < $1.identity }
            } catch {
                skipped.append(.init(path: directory, reason: error.description))
            }
        }
    }

    private mutating func note(
        _ name: String, of replica: ReplicaID, in directory: String, _ fileSystem: any FileSystem, _ dataset: DatasetID
    ) {
        let path = Path.join(directory, name)
        if let (stretch, isLacking) = ExchangeFormat.parse(name) {
            entries.append(
                ExchangeEntry(replica: replica, name: name, path: path, stretch: stretch, isLacking: isLacking))
            return
        }
        // A conflict copy, or a name that a program has changed: what is in it decides.
        do throws(ExchangeDamage) {
            guard try fileSystem.isPlainFile(path) else { return }
            let reader = try ExchangeReader(path, in: fileSystem, dataset: dataset)
            reader.close()
            let header = reader.header
            entries.append(
                ExchangeEntry(replica: replica, name: name, path: path, stretch: header.stretch, isLacking: header.isLacking))
        } catch {
            skipped.append(.init(path: path, offset: error.offset, reason: error.reason))
        }
    }
}

extension FileSystem {
    /// The names in a directory; none when it is not there.
    func names(in directory: String) throws(StorageError) -> [String] {
        do throws(StorageError) {
            return try list(directory)
        } catch {
            guard error.code == .notFound else { throw error }
            return []
        }
    }

    /// Whether there is a file that can be opened without following a link or waiting for a pipe.
    func isPlainFile(_ path: String) throws(ExchangeDamage) -> Bool {
        try ExchangeDamage.wrap { () throws(StorageError) in
            guard let found = try attributes(of: path) else { return false }
            return !found.isDirectory && !found.isSpecial
        }
    }
}
