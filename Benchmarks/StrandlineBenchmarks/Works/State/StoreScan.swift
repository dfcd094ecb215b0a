import Storage
import Strandline

/// Every post of a store looked at, one at a time by its id: how much memory it takes.
struct StoreScan: Work {
    static let name = "store-scan"
    static let unit = "posts"
    static let count: UInt64 = 1_000_000

    func run(_ options: RunOptions) async throws -> Measurement {
        var options = options
        options.describe("public API, the ids of all objects, then one object after the other")
        try FilledStore.make(options, posts: options.rows)
        let store = try await Store.open(.directory(options.directory), KeyedPost.self)
        let meter = Meter()
        var touch: UInt64 = 0
        for id in try store.ids(of: KeyedPost.all) {
            guard let post = try store.get(id) else { throw BenchmarkError("post \(id) is listed and not there") }
            touch &+= post.touch
        }
        var result = meter.finish(options, operations: options.rows)
        let contents = try StoreContents<KeyedPost>(of: store)
        guard contents.touch == touch else { throw BenchmarkError("the posts seen are not those that are there") }
        try contents.complete(&result, options, count: options.rows)
        try await store.close()
        return result
    }
}
