/// What a backup copied.
public struct LogBackup: Sendable, Equatable {
    /// The last transaction in the copy, and how many segments, stage files and blobs hold it.
    public internal(set) var lastLSN: UInt64 = 0
    public internal(set) var segments = 0
    public internal(set) var stages = 0
    public internal(set) var blobs = 0
    /// Bytes written.
    public internal(set) var bytes: UInt64 = 0
}
