import EventLog
import Storage

/// Every post read through the reader and the decoder as columns, every content byte touched, warm.
struct LogReplay: Work {
    static let name = "log-replay"
    static let unit = "posts"
    static let count: UInt64 = 1_000_000

    func run(_ options: RunOptions) throws -> Measurement {
        var options = options
        options.describe("event log, columns of decoded groups, checksums verified")
        return try LogReading.measure(options, touch: LogReading.columns)
    }
}

/// The same as single changes, as the reference fold takes them.
struct LogChanges: Work {
    static let name = "log-changes"
    static let unit = "posts"
    static let count: UInt64 = 1_000_000

    func run(_ options: RunOptions) throws -> Measurement {
        var options = options
        options.describe("event log, one change at a time with its values, checksums verified")
        return try LogReading.measure(options, touch: LogReading.changes)
    }
}
