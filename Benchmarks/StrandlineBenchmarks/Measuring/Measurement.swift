/// What one run of one contestant came to: the line of JSON that every driver prints.
///
/// `Benchmarks/Peers/README.md` says what the fields mean.
struct Measurement: Codable, Sendable {
    var peer: String
    var version: String
    var work: String
    var settings: String
    var seed: UInt64
    var operations: UInt64
    var seconds: Double
    var perSecond: Double
    var settleSeconds: Double = 0
    var generateSeconds: Double = 0
    var logicalBytes: UInt64 = 0
    var bytesOnDisk: UInt64 = 0
    var commits: UInt64?
    var p50Microseconds: Double?
    var p99Microseconds: Double?
    var maxMicroseconds: Double?
    var ingestMBPerSecond: Double?
    var readSeconds: Double?
    var readMBPerSecond: Double?
    /// A second rate of the same run, such as transactions beside changes.
    var transactionsPerSecond: Double?
    var touch: String?
    var peakAnonKiB: UInt64 = 0
    var peakHWMKiB: UInt64 = 0
    var flushes: UInt64?
    var flushDetail: FlushCounts?
    var resultHash: String

    /// Flushes for each commit; nil where either was not counted.
    var flushesPerCommit: Double? {
        guard let flushes, let commits, commits > 0 else { return nil }
        return Double(flushes) / Double(commits)
    }
}
