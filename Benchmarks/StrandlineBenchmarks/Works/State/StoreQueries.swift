import Storage
import Strandline

/// What works that ask queries share: a store that is open and warm, and the same question with other constants.
enum StoreQueries {
    /// - Parameter query: asks once, as one `commit` of the meter; gives what the answer comes to.
    static func run(
        _ options: RunOptions, _ query: (Store, inout ReadOrder, inout Meter) throws -> UInt64
    ) async throws -> Measurement {
        try FilledStore.make(options, posts: options.rows)
        let store = try await Store.open(.directory(options.directory), KeyedPost.self)
        var warming = Meter()
        var other = ReadOrder(Workload(seed: options.workload.seed &+ 1))
        _ = try query(store, &other, &warming)
        _ = warming.finish(options, operations: 1)
        var order = ReadOrder(options.workload)
        var touch: UInt64 = 0
        var meter = Meter(commits: Int(options.queries))
        for number in 0..<options.queries { touch &+= try query(store, &order, &meter) &* (number + 1) }
        var result = meter.finish(options, operations: options.queries)
        result.commits = nil
        result.touch = Digest128.hex(touch)
        try await StoreContents<KeyedPost>.check(store, &result, options)
        return result
    }
}
