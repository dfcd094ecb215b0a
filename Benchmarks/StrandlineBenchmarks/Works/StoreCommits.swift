import Strandline

/// Batches of posts through the public interface, each batch one durable write.
struct StoreCommits<Post: StoredPost>: Work {
    static var name: String { Post.isKeyed ? "store-bulk" : "store-bulk-plain" }
    static var unit: String { "posts" }
    static var count: UInt64 { 1_000_000 }

    func run(_ options: RunOptions) async throws -> Measurement {
        var options = options
        options.describe("public API, a durable write per batch of \(options.batch)\(Post.isKeyed ? "; unique key" : "")")
        let store = try await Store.open(.directory(options.directory), Post.self)
        var meter = Meter(commits: Int((options.count + options.batch - 1) / options.batch))
        var first: UInt64 = 0
        while first < options.count {
            let range = first..<min(first + options.batch, options.count)
            let posts = meter.generate { range.map { Post(options.workload.post($0)) } }
            let before = Meter.now()
            try await store.write { tx in for post in posts { try tx.insert(post) } }
            meter.note(Meter.now() - before)
            first = range.upperBound
        }
        // What is left to write to runs is written, as the peers write their memtables and checkpoints.
        let before = Meter.now()
        try await store.close()
        let settled = Double(Meter.now() - before) / 1e9
        var result = meter.finish(options, operations: options.count)
        result.settleSeconds = settled
        try await StoreContents<Post>.check(at: options.directory, &result, options)
        return result
    }
}
