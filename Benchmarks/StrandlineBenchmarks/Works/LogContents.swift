import EventLog
import Storage

/// The posts of a log, read back through the reader and the decoder.
struct LogContents {
    private(set) var posts: UInt64 = 0
    private(set) var bytes: UInt64 = 0
    /// The sum of the posts' hashes.
    private(set) var hash: UInt64 = 0

    /// Reads everything.
    init(of log: EventLog) throws {
        var reader = try LogReader(log)
        var decoder = TransactionDecoder()
        while let transaction = try reader.next() {
            let origin = transaction.branch.origin
            try log.forEachPart(of: transaction) { (part) throws(LogError) in
                try LogError.wrap { () throws(StorageError) in
                    var groups = try decoder.groups(of: part, origin: origin, sequence: transaction.sequence)
                    while let group = try groups.next() {
                        if case .insert(let inserts) = group, inserts.entity == PostRecord.entity { add(inserts) }
                    }
                }
            }
        }
    }

    /// Opens the log at a directory and reads everything.
    init(at directory: String) throws {
        let log = try EventLog.open(at: directory, in: .system, mode: .readOnly)
        defer { try? log.close() }
        try self.init(of: log)
    }

    private mutating func add(_ inserts: ChangeGroup.Inserts) {
        for row in inserts.indexes.indices {
            var record = PostRecord(key: .zero, title: "", content: "", views: 0, date: 0)
            for column in inserts.columns {
                switch (column.property.name, column.values.value(at: row)) {
                case ("key", .uuid(let key)): record.key = key
                case ("title", .string(let title)): record.title = title
                case ("content", .string(let content)): record.content = content
                case ("views", .int(let views)): record.views = views
                case ("date", .date(let seconds)): record.date = PostRecord.milliseconds(seconds)
                default: break
                }
            }
            posts += 1
            bytes += record.size
            hash &+= record.hash
        }
    }

    /// Notes in a result what is stored, once it is what was written.
    func complete(_ result: inout Measurement, _ run: RunOptions) throws {
        guard posts == run.count else { throw BenchmarkError("\(run.count) posts were committed but \(posts) are there") }
        result.logicalBytes = bytes
        result.resultHash = Digest128.hex(hash)
        let expected = (0..<run.count).reduce(into: UInt64(0)) { $0 &+= run.workload.post($1).hash }
        guard hash == expected else { throw BenchmarkError("the posts read back differ from those written") }
    }
}
