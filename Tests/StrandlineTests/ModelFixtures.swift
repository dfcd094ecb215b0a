import EventLog
import Storage
import Strandline

/// The object of a number.
func object(_ number: UInt32) -> ObjectID {
    ObjectID(replica: ReplicaID(Digest128(high: 0xA, low: 0xB)), sequence: 5, index: number)
}

/// Names content by its bytes, and keeps what it took in.
final class FakeBlobs: BlobIngest {
    struct Unreadable: Error {}
    private(set) var ingested: [Blob.Content] = []

    func ingest(_ content: Blob.Content) throws -> BlobReference {
        guard case .bytes(let bytes) = content else { throw Unreadable() }
        ingested.append(content)
        let name = bytes.reduce(UInt64(bytes.count)) { $0 &* 31 &+ UInt64($1) }
        return BlobReference(
            id: BlobID(high: .zero, low: Digest128(high: 1, low: name)), length: UInt64(bytes.count), inline: bytes)
    }
}

/// Stored rows, by property, as a store would give them.
struct StoredRow {
    var values: [Property: Value]
    var targets: [Property: [ObjectID]] = [:]

    /// What an insert leaves in the store.
    init(_ changes: ObjectChanges) {
        values = Dictionary(changes.values.map { ($0.property, $0.value) }, uniquingKeysWith: { $1 })
        for case .edge(_, _, let property, let target, true) in changes.links { targets[property, default: []].append(target) }
    }

    func decode<Root: Entity>(_ codec: TypedCodec<Root>, as id: ObjectID) -> Root {
        codec.decode(id, source: nil, value: { values[$0] }, targets: { targets[$0.property] ?? [] })
    }
}
