import EventLog
import Storage

/// Where things lie in a shared folder: SPEC.md, section 10.
struct ExchangeLayout: Sendable {
    /// The shared folder.
    let root: String
    /// The part of it that belongs to the dataset.
    let dataset: String

    init(root: String, dataset: DatasetID) {
        self.root = root
        self.dataset = Path.join(root, dataset.description)
    }

    var replicas: String { dataset + "/r" }
    var blobs: String { dataset + "/blobs" }

    func directory(of replica: ReplicaID) -> String { "\(replicas)/\(replica)" }
    func directory(of blob: BlobID) -> String { "\(blobs)/\(blob.description.prefix(2))" }
    func path(of blob: BlobID) -> String { "\(directory(of: blob))/\(blob)" }

    /// The replica that a directory's name stands for; nil for any other name, upper-case digits included.
    static func replica(_ name: String) -> ReplicaID? {
        guard let id = ReplicaID(name), id.description == name else { return nil }
        return id
    }

    static func dataset(_ name: String) -> DatasetID? {
        guard let id = DatasetID(name), id.description == name else { return nil }
        return id
    }

    /// Makes the subfolder of a replica and what is above it, below the shared folder.
    ///
    /// - Throws: `notDirectory` where something else has such a name: through a link that somebody put there nothing is written.
    func prepare(_ replica: ReplicaID, in fileSystem: any FileSystem) throws(StorageError) -> String {
        let own = directory(of: replica)
        for directory in [dataset, replicas, own] {
            if let found = try fileSystem.attributes(of: directory), !found.isDirectory {
                throw StorageError(
                    .notDirectory, "write into", path: directory,
                    detail: "it is a link or a file where this store's own directory belongs; remove it")
            }
        }
        try fileSystem.createDirectories(own)
        return own
    }
}
