public import EventLog

/// Where a blob is.
public enum BlobState: Sendable, Hashable {
    /// All of it is here.
    case here
    /// As many bytes of it are here, each chunk verified; the rest is on its way, or was until the connection broke.
    case partly(bytes: UInt64)
    /// It is not here, and these peers said, when they were heard of last, that they have it.
    case elsewhere([ReplicaID])
    /// It was removed here, and is fetched again only when somebody asks for it; these peers said that they have it.
    case evicted([ReplicaID])
    /// It is not here, and nobody has said that it is there.
    case lacking
}

/// A blob that objects of a store name, and where it is.
public struct BlobStatus: Sendable, Hashable {
    public let blob: BlobReference
    public let state: BlobState
    /// When its file was written, in milliseconds since 1970; nil of one that is not here.
    public let written: UInt64?

    init(_ blob: BlobReference, _ state: BlobState, written: UInt64? = nil) {
        self.blob = blob
        self.state = state
        self.written = written
    }
}
