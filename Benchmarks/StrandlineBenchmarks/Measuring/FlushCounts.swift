#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Calls that asked the device to keep data, as `flushcount.so` counts them for every contestant alike.
struct FlushCounts: Codable, Sendable, Equatable {
    var fsync: UInt64 = 0
    var fdatasync: UInt64 = 0
    var msync: UInt64 = 0
    /// Writes to files opened with O_DSYNC: each is a write and a flush.
    var dsyncWrites: UInt64 = 0
    /// Starts or awaits writing and flushes no device cache: shown, never summed.
    var syncFileRange: UInt64 = 0

    var sum: UInt64 { fsync + fdatasync + msync + dsyncWrites }

    /// Since the process started; nil when `flushcount.so` was not preloaded (run under `run-counted`).
    static func now() -> FlushCounts? {
        typealias Read = @convention(c) (UnsafeMutablePointer<UInt64>) -> Void
        guard let symbol = unsafe dlsym(nil, "flushcount_read") else { return nil }
        let read = unsafe unsafeBitCast(symbol, to: Read.self)
        var words = [UInt64](repeating: 0, count: 5)
        unsafe words.withUnsafeMutableBufferPointer { buffer in
            if let start = buffer.baseAddress { unsafe read(start) }
        }
        return FlushCounts(
            fsync: words[0], fdatasync: words[1], msync: words[2], dsyncWrites: words[3], syncFileRange: words[4])
    }

    static func - (a: FlushCounts, b: FlushCounts) -> FlushCounts {
        FlushCounts(
            fsync: a.fsync - b.fsync, fdatasync: a.fdatasync - b.fdatasync, msync: a.msync - b.msync,
            dsyncWrites: a.dsyncWrites - b.dsyncWrites, syncFileRange: a.syncFileRange - b.syncFileRange)
    }

    static func + (a: FlushCounts, b: FlushCounts) -> FlushCounts {
        FlushCounts(
            fsync: a.fsync + b.fsync, fdatasync: a.fdatasync + b.fdatasync, msync: a.msync + b.msync,
            dsyncWrites: a.dsyncWrites + b.dsyncWrites, syncFileRange: a.syncFileRange + b.syncFileRange)
    }
}
