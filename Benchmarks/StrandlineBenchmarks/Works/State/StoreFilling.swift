import Strandline

/// A store made of posts by a closure that gives them one by one: how much memory it takes, and how long.
struct StoreFilling: Work {
    static let name = "store-fill"
    static let unit = "posts"
    static let count: UInt64 = 1_000_000

    func run(_ options: RunOptions) async throws -> Measurement {
        var options = options
        options.describe("public API, streaming insert, a durable transaction per \(options.batch); unique key; then closed")
        let meter = Meter()
        try await Self.fill(options, posts: options.count)
        var result = meter.finish(options, operations: options.count)
        result.generateSeconds = 0
        if options.isChecked { try await StoreContents<KeyedPost>.check(at: options.directory, &result, options) }
        return result
    }

    /// Opens a store, inserts and closes it.
    static func fill(_ options: RunOptions, posts: UInt64) async throws {
        let store = try await Store.open(.directory(options.directory), KeyedPost.self)
        let workload = options.workload
        var index: UInt64 = 0
        try await store.insert(KeyedPost.self, batch: Int(options.batch)) { post in
            guard index < posts else { return false }
            post = KeyedPost(workload.post(index))
            index += 1
            return true
        }
        try await store.close()
    }
}
