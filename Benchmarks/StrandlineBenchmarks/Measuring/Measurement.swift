/// What one run of one contestant came to: the line of JSON that every driver prints.
///
/// `Benchmarks/Peers/README.md` says what the fields mean.
package struct Measurement: Codable, Sendable {
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
    /// Objects read by their ids, in works that do so beside something else.
    var readsPerSecond: Double?
    /// Opening a store, in works that do so beside something else.
    var openMilliseconds: Double?
    package var touch: String?
    package var peakAnonKiB: UInt64 = 0
    var peakHWMKiB: UInt64 = 0
    var flushes: UInt64?
    var flushDetail: FlushCounts?
    package var resultHash: String

    package init(
        peer: String, version: String, work: String, settings: String, seed: UInt64, operations: UInt64, seconds: Double,
        perSecond: Double, commits: UInt64? = nil, flushes: UInt64? = nil, resultHash: String
    ) {
        self.peer = peer
        self.version = version
        self.work = work
        self.settings = settings
        self.seed = seed
        self.operations = operations
        self.seconds = seconds
        self.perSecond = perSecond
        self.commits = commits
        self.flushes = flushes
        self.resultHash = resultHash
    }

    /// Flushes for each commit; nil where either was not counted.
    var flushesPerCommit: Double? {
        guard let flushes, let commits, commits > 0 else { return nil }
        return Double(flushes) / Double(commits)
    }
}
