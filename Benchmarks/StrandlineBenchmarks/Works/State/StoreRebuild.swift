import Storage
import Strandline

/// The state folded anew from the whole log, and written to runs.
struct StoreRebuild: Work {
    static let name = "store-rebuild"
    static let unit = "posts"
    static let count: UInt64 = 1_000_000

    func run(_ options: RunOptions) async throws -> Measurement {
        var options = options
        options.describe("public API, all runs made anew from the log; unique key")
        try FilledStore.make(options, posts: options.rows)
        let store = try await Store.open(.directory(options.directory), KeyedPost.self)
        let digest = try store.digest()
        let meter = Meter()
        try await store.rebuild()
        var result = meter.finish(options, operations: options.rows)
        guard try store.digest() == digest else { throw BenchmarkError("the state rebuilt is another one") }
        try await StoreContents<KeyedPost>.check(store, &result, options)
        return result
    }
}
