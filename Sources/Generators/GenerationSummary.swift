/// How much was made, or checked.
public struct GenerationSummary: Sendable, Hashable {
    public var objects: Int
    public var blobs: Int
    /// Bytes of blobs.
    public var bytes: UInt64

    public init(objects: Int = 0, blobs: Int = 0, bytes: UInt64 = 0) {
        self.objects = objects
        self.blobs = blobs
        self.bytes = bytes
    }
}
