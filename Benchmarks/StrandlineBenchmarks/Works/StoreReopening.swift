import Strandline

/// A store opened anew, its state folded from its log.
struct StoreReopening: Work {
    static let name = "store-open"
    static let unit = "posts"
    static let count: UInt64 = 1_000_000

    func run(_ options: RunOptions) async throws -> Measurement {
        var options = options
        options.describe("public API, opening after a clean close; unique key")
        let filled = try await Store.open(.directory(options.directory), KeyedPost.self)
        var first: UInt64 = 0
        while first < options.count {
            let range = first..<min(first + options.batch, options.count)
            let workload = options.workload
            try await filled.write { tx in for index in range { try tx.insert(KeyedPost(workload.post(index))) } }
            first = range.upperBound
        }
        try await filled.close()
        let meter = Meter()
        let store = try await Store.open(.directory(options.directory), KeyedPost.self)
        var result = meter.finish(options, operations: options.count)
        try await StoreContents<KeyedPost>.check(store, &result, options)
        return result
    }
}
