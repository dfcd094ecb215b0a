import EventLog
import Storage

/// Batches of posts, each batch a transaction of the log, durable before the next.
///
/// The log alone: history with checksums and compression, without an index.
struct LogCommits: Work {
    static let name = "log-bulk"
    static let unit = "posts"
    static let count: UInt64 = 1_000_000

    func run(_ options: RunOptions) throws -> Measurement {
        var options = options
        options.describe("event log, a transaction and fdatasync per batch of \(options.batch); LZ4, XXH3, chained; no index")
        let log = try EventLog.create(at: options.directory, in: .system)
        var meter = Meter(commits: Int((options.count + options.batch - 1) / options.batch))
        var first: UInt64 = 0
        while first < options.count {
            let end = min(first + options.batch, options.count)
            let posts = meter.generate { (first..<end).map(options.workload.post) }
            try meter.commit { try Self.commit(posts, to: log) }
            first = end
        }
        var result = meter.finish(options, operations: options.count)
        try LogContents(of: log).complete(&result, options)
        try log.close()
        return result
    }

    static func commit(_ posts: [PostRecord], to log: EventLog) throws {
        try transaction(in: log) { builder in
            _ = try builder.insertRows(PostRecord.entity, PostRecord.properties, count: posts.count) { columns in
                for post in posts { post.append(to: &columns) }
            }
        }
        try log.flush()
    }

    /// One transaction, with the log but not yet durable.
    static func transaction(in log: EventLog, _ body: (TransactionBuilder) throws -> Void) throws {
        let open = try log.begin()
        let builder = try TransactionBuilder(
            origin: open.header.origin, sequence: open.header.sequence, timestamp: open.header.timestamp,
            author: open.header.author, context: open.header.context, sink: { try open.add(part: $0) })
        try body(builder)
        _ = try builder.finish()
        try log.finish(open)
    }
}
