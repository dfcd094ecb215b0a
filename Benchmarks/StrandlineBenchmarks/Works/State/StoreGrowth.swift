import Storage
import Strandline

/// What a store of some size costs: inserting, opening, reading by id, memory.
struct StoreGrowth: Work {
    static let name = "store-growth"
    static let unit = "posts"
    static let count: UInt64 = 1_000_000

    func run(_ options: RunOptions) async throws -> Measurement {
        var options = options
        options.describe("public API, streaming insert and close; 5 openings; up to 100,000 reads by id; unique key")
        let meter = Meter()
        let begin = Meter.now()
        try await StoreFilling.fill(options, posts: options.rows)
        let inserted = Double(Meter.now() - begin) / 1e9
        var openings: [UInt64] = []
        for _ in 0..<5 {
            let before = Meter.now()
            let store = try await Store.open(.directory(options.directory), KeyedPost.self)
            openings.append(Meter.now() - before)
            try await store.close()
        }
        let store = try await Store.open(.directory(options.directory), KeyedPost.self)
        let posts = try FilledStore(store, options)
        let reads = min(options.rows, 100_000)
        _ = try StorePoint.read(reads, posts, store, options)
        let before = Meter.now()
        _ = try StorePoint.read(reads, posts, store, options)
        let read = Double(Meter.now() - before) / 1e9
        var result = meter.finish(options, operations: options.rows)
        result.seconds = inserted
        result.perSecond = Double(options.rows) / inserted
        result.openMilliseconds = Double(openings.sorted()[2]) / 1e6
        result.readsPerSecond = Double(reads) / read
        try await StoreContents<KeyedPost>.check(store, &result, options)
        return result
    }
}
