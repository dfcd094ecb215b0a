import Storage
import Strandline

/// The average of a property by another one, over posts that a predicate with another constant each time selects.
struct StoreGroups: Work {
    static let name = "store-group"
    static let unit = "queries"
    static let count: UInt64 = 1_000_000

    func run(_ options: RunOptions) async throws -> Measurement {
        var options = options
        options.describe("public API, average views by title of over nine tenths of the posts, another constant each time")
        return try await StoreQueries.run(options) { store, order, meter in
            let views = Int(order.next(below: Workload.viewsEnd >> 4))
            let groups = try meter.commit {
                try store.groups(
                    of: "Post", where: KeyedPost.where { $0.views > views }.filter, by: [PropertyPath("title")],
                    [Aggregate(.avg, PropertyPath("views"))])
            }
            return try meter.generate { try groups.reduce(into: UInt64(groups.count)) { $0 &+= try Self.hash($1) } }
        }
    }

    private static func hash(_ group: (keys: [Value], values: [Value])) throws -> UInt64 {
        guard case .string(let title)? = group.keys.first, case .double(let average)? = group.values.first else {
            throw BenchmarkError("a group has no title or no average: \(group)")
        }
        let thousandths = Int64((average * 1000).rounded())
        return Checksum.xxh3(Array(title.utf8).span, seed: UInt64(bitPattern: thousandths))
    }
}
