import EventLog
import Storage

/// One transaction of very many changes in the log: how much memory it takes.
struct LargeTransaction: Work {
    static let name = "log-large"
    static let unit = "changes"
    static let count: UInt64 = 1_000_000

    func run(_ options: RunOptions) throws -> Measurement {
        var options = options
        options.describe("event log, everything one transaction, staged")
        let log = try EventLog.create(at: options.directory, in: .system)
        var meter = Meter(commits: 1)
        let before = Meter.now()
        try LogCommits.transaction(in: log) { builder in
            var first: UInt64 = 0
            while first < options.count {
                let range = first..<min(first + options.batch, options.count)
                _ = try builder.insertRows(PostRecord.entity, PostRecord.properties, count: range.count) { columns in
                    for index in range { options.workload.post(index).append(to: &columns) }
                }
                first = range.upperBound
            }
        }
        try log.flush()
        meter.note(Meter.now() - before)
        // Reading it back is part of what must fit.
        let contents = try LogContents(of: log)
        var result = meter.finish(options, operations: options.count)
        try contents.complete(&result, options)
        try log.close()
        return result
    }
}
