/// What ``EventLog/backup(to:progress:)`` copied.
package struct LogBackup: Sendable, Equatable {
    /// The last transaction in the copy, and how many segments, stage files and blobs hold it.
    package internal(set) var lastLSN: UInt64 = 0
    package internal(set) var segments = 0
    package internal(set) var stages = 0
    package internal(set) var blobs = 0
    /// Bytes written.
    package internal(set) var bytes: UInt64 = 0
}
