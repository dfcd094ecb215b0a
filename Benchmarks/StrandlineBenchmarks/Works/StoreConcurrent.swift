import Strandline

/// Many tasks of one process, each committing one post at a time, durable.
struct StoreConcurrent: Work {
    static let name = "store-concurrent"
    static let unit = "commits"
    static let count: UInt64 = 200_000

    func run(_ options: RunOptions) async throws -> Measurement {
        var options = options
        options.describe("public API, \(options.tasks) tasks, one post per durable write, group commit; unique key")
        let store = try await Store.open(.directory(options.directory), KeyedPost.self)
        var meter = Meter(commits: Int(options.count))
        meter.restart()
        for latency in try await Self.commit(options, share: 0, of: 1, to: store) { meter.note(UInt64(latency)) }
        var result = meter.finish(options, operations: options.count)
        try await StoreContents<KeyedPost>.check(store, &result, options)
        return result
    }

    /// Commits the posts whose number is `share` modulo `shares`; gives the nanoseconds of each commit.
    static func commit(_ options: RunOptions, share: UInt64, of shares: UInt64, to store: Store) async throws -> [UInt32] {
        let numbers = NumberDispenser(from: share, by: shares)
        return try await withThrowingTaskGroup(of: [UInt32].self) { group in
            for _ in 0..<options.tasks {
                group.addTask {
                    var latencies: [UInt32] = []
                    while true {
                        let index = numbers.take()
                        guard index < options.count else { return latencies }
                        let post = KeyedPost(options.workload.post(index))
                        let before = Meter.now()
                        try await store.write { tx in _ = try tx.insert(post) }
                        latencies.append(UInt32(clamping: Meter.now() - before))
                    }
                }
            }
            var all: [UInt32] = []
            for try await latencies in group { all += latencies }
            return all
        }
    }
}
