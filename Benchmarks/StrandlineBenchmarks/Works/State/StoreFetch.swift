import Storage
import Strandline

/// All posts fetched into structs, warm.
struct StoreFetch: Work {
    static let name = "store-fetch"
    static let unit = "posts"
    static let count: UInt64 = 1_000_000

    func run(_ options: RunOptions) async throws -> Measurement {
        var options = options
        options.describe("public API, one fetch of all objects into an array of structs of five properties")
        try FilledStore.make(options, posts: options.rows)
        let store = try await Store.open(.directory(options.directory), KeyedPost.self)
        _ = try store.fetch(KeyedPost.all)
        let meter = Meter()
        let posts = try store.fetch(KeyedPost.all)
        var result = meter.finish(options, operations: UInt64(posts.count))
        let contents = try StoreContents(posts)
        result.touch = Digest128.hex(contents.touch)
        try contents.complete(&result, options, count: options.rows)
        try await store.close()
        return result
    }
}
