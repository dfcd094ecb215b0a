import Storage
import Strandline

/// Posts read by their ids into structs, in random order, warm.
struct StorePoint: Work {
    static let name = "store-point"
    static let unit = "reads"
    static let count: UInt64 = 1_000_000

    func run(_ options: RunOptions) async throws -> Measurement {
        var options = options
        options.describe(
            "public API, get by id into a struct of five properties, each its own read of the newest state; a cache of 512 MiB, "
                + "which holds them all, as the peers' pages are in memory")
        try FilledStore.make(options, posts: options.rows)
        var opening = Store.Options()
        opening.cacheBytes = 512 << 20
        let store = try await Store.open(.directory(options.directory), KeyedPost.self, options: opening)
        let posts = try FilledStore(store, options)
        _ = try Self.read(options.count, posts, store, options)
        let meter = Meter()
        let touch = try Self.read(options.count, posts, store, options)
        var result = meter.finish(options, operations: options.count)
        result.touch = Digest128.hex(touch)
        try await StoreContents<KeyedPost>.check(store, &result, options)
        return result
    }

    /// What touching so many posts comes to.
    static func read(_ count: UInt64, _ posts: FilledStore, _ store: Store, _ options: RunOptions) throws -> UInt64 {
        var order = ReadOrder(options.workload)
        var touch: UInt64 = 0
        for _ in 0..<count { touch &+= try posts.post(order.next(below: options.rows), in: store).touch }
        return touch
    }
}
