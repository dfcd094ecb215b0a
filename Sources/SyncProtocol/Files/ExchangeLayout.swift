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
}
