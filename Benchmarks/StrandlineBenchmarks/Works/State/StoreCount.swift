import Storage
import Strandline

/// Posts counted by a predicate with another constant each time.
struct StoreCount: Work {
    static let name = "store-count"
    static let unit = "queries"
    static let count: UInt64 = 1_000_000

    func run(_ options: RunOptions) async throws -> Measurement {
        var options = options
        options.describe("public API, count by a comparison of a property without index, another constant each time")
        return try await StoreQueries.run(options) { store, order, meter in
            let views = Int(order.next(below: Workload.viewsEnd))
            return UInt64(try meter.commit { try store.count(KeyedPost.where { $0.views > views }) })
        }
    }
}
