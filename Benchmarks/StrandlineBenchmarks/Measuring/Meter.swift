import Foundation
import Storage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Measures one run: time, latencies, flushes and memory between its making and ``finish(_:operations:)``.
///
/// Making data is timed by the work and taken out.
struct Meter: ~Copyable {
    private let sampler: MemorySampler
    private let flushesBefore: FlushCounts?
    private var start: UInt64
    /// Nanoseconds that went into making data.
    var generating: UInt64 = 0
    /// Nanoseconds of each commit.
    var latencies: [UInt32] = []

    /// - Parameter commits: how many latencies will be noted.
    init(commits: Int = 0) {
        // So that their pages are counted before the clock starts.
        latencies = [UInt32](repeating: 1, count: commits)
        latencies.removeAll(keepingCapacity: true)
        // What earlier runs left to the file system is not this run's to pay for.
        sync()
        sampler = MemorySampler()
        flushesBefore = FlushCounts.now()
        start = Self.now()
    }

    static func now() -> UInt64 { SystemClock().monotonic() }

    /// The clock starts here, where threads had to be brought up first.
    mutating func restart() { start = Self.now() }

    mutating func note(_ nanoseconds: UInt64) { latencies.append(UInt32(clamping: nanoseconds)) }

    /// Runs `body`, whose time is not the contestant's.
    mutating func generate<Result>(_ body: () throws -> Result) rethrows -> Result {
        let before = Self.now()
        defer { generating += Self.now() - before }
        return try body()
    }

    /// Runs `body` as one commit.
    mutating func commit<Result>(_ body: () throws -> Result) rethrows -> Result {
        let before = Self.now()
        defer { note(Self.now() - before) }
        return try body()
    }

    /// Stops the clock and gives what was measured; what is stored goes in afterwards.
    consuming func finish(_ run: RunOptions, operations: UInt64) -> Measurement {
        let seconds = Double(Self.now() - start - generating) / 1e9
        let flushes: FlushCounts? = if let flushesBefore, let now = FlushCounts.now() { now - flushesBefore } else { nil }
        let memory = sampler.stop()
        latencies.sort()
        var result = Measurement(
            peer: run.contestant, version: ProcessInfo.processInfo.operatingSystemVersionString, work: run.work,
            settings: run.settings, seed: run.workload.seed, operations: operations, seconds: seconds,
            perSecond: Double(operations) / seconds, resultHash: "")
        result.version = "this build"
        result.generateSeconds = Double(generating) / 1e9
        result.bytesOnDisk = Self.diskBytes(run.directory)
        result.peakAnonKiB = memory.anon
        result.peakHWMKiB = memory.highWater
        result.flushes = flushes?.sum
        result.flushDetail = flushes
        if !latencies.isEmpty {
            result.commits = UInt64(latencies.count)
            result.p50Microseconds = percentile(0.5)
            result.p99Microseconds = percentile(0.99)
            result.maxMicroseconds = percentile(1)
        }
        return result
    }

    private func percentile(_ share: Double) -> Double {
        Double(latencies[min(Int(Double(latencies.count) * share), latencies.count - 1)]) / 1000
    }

    /// Bytes of disk space held below a directory: blocks, not lengths.
    ///
    /// Foundation's allocated size counts blocks of 512 bytes as if they were of 4,096 on Linux.
    private static func diskBytes(_ directory: String) -> UInt64 {
        guard let walk = FileManager.default.enumerator(atPath: directory) else { return 0 }
        var sum: UInt64 = 0
        for case let name as String in walk {
            var attributes = stat()
            if unsafe lstat("\(directory)/\(name)", &attributes) == 0 { sum += UInt64(attributes.st_blocks) * 512 }
        }
        return sum
    }
}
