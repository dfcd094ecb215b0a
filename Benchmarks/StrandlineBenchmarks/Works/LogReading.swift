import EventLog
import Storage

/// What ``LogReplay`` and ``LogChanges`` share: a log of batches, read twice and timed once.
enum LogReading {
    typealias Touch = (inout TransactionDecoder, PartBytes, ReplicaID, UInt64) throws -> (posts: UInt64, touch: UInt64)

    static func measure(_ options: RunOptions, touch: Touch) throws -> Measurement {
        let log = try EventLog.create(at: options.directory, in: .system)
        var first: UInt64 = 0
        while first < options.count {
            let end = min(first + options.batch, options.count)
            try LogCommits.commit((first..<end).map(options.workload.post), to: log)
            first = end
        }
        _ = try scan(log, touch)
        let meter = Meter()
        let sums = try scan(log, touch)
        var result = meter.finish(options, operations: sums.posts)
        result.touch = Digest128.hex(sums.touch)
        result.transactionsPerSecond = Double(sums.transactions) / result.seconds
        try LogContents(of: log).complete(&result, options)
        try log.close()
        return result
    }

    private static func scan(
        _ log: EventLog, _ touch: Touch
    ) throws -> (posts: UInt64, touch: UInt64, transactions: UInt64) {
        var reader = try LogReader(log)
        var decoder = TransactionDecoder()
        var sums: (posts: UInt64, touch: UInt64, transactions: UInt64) = (0, 0, 0)
        while let transaction = try reader.next() {
            sums.transactions += 1
            guard case .parts(let parts) = transaction.content else { throw BenchmarkError("a batch was staged") }
            for part in parts {
                let (posts, touched) = try touch(&decoder, part, transaction.branch.origin, transaction.sequence)
                sums.posts += posts
                sums.touch &+= touched
            }
        }
        return sums
    }

    static func columns(
        _ decoder: inout TransactionDecoder, _ part: PartBytes, _ origin: ReplicaID, _ sequence: UInt64
    ) throws -> (posts: UInt64, touch: UInt64) {
        var groups = try decoder.groups(of: part, origin: origin, sequence: sequence)
        var posts: UInt64 = 0
        var sum: UInt64 = 0
        while let group = try groups.next() {
            guard case .insert(let inserts) = group else { continue }
            posts += UInt64(inserts.indexes.count)
            for column in inserts.columns {
                switch column.values.values {
                case .ints(let views): for value in views { sum &+= UInt64(bitPattern: value) }
                case .dates(let dates): for date in dates { sum &+= UInt64(bitPattern: PostRecord.milliseconds(date)) }
                case .strings(let texts):
                    let isContent = column.property.name == "content"
                    for row in 0..<texts.count {
                        let range = texts[row]
                        sum &+= UInt64(range.count)
                        if isContent { sum &+= Touch64.sum(texts.bytes.span.extracting(range)) }
                    }
                default: break
                }
            }
        }
        return (posts, sum)
    }

    static func changes(
        _ decoder: inout TransactionDecoder, _ part: PartBytes, _ origin: ReplicaID, _ sequence: UInt64
    ) throws -> (posts: UInt64, touch: UInt64) {
        var posts: UInt64 = 0
        var sum: UInt64 = 0
        try decoder.forEachChange(of: part, origin: origin, sequence: sequence) { change in
            guard case .insert(_, _, let values) = change else { return }
            posts += 1
            for value in values {
                switch value.value {
                case .int(let views): sum &+= UInt64(bitPattern: views)
                case .date(let seconds): sum &+= UInt64(bitPattern: PostRecord.milliseconds(seconds))
                case .string(let text):
                    sum &+= UInt64(text.utf8.count)
                    if value.property.name == "content" { sum &+= Touch64.sum(text.utf8Span.span) }
                default: break
                }
            }
        }
        return (posts, sum)
    }
}
