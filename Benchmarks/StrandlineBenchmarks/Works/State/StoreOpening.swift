import Storage
import Strandline

/// A store opened up to the first object read by its id: after it was closed, or after its writer was killed.
struct StoreOpening: Work {
    static let name = "store-open"
    static let unit = "openings"
    static let count: UInt64 = 1_000_000

    private static let openings = 5
    /// A writer is killed after so many milliseconds the first time, twice as many the second, and so on.
    private static let writing = 60

    func run(_ options: RunOptions) async throws -> Measurement {
        var options = options
        try FilledStore.make(options, posts: options.rows)
        let filled = try await FilledStore(options)
        var order = ReadOrder(options.workload)
        var posts = options.rows
        var touch: UInt64 = 0
        var openings: [UInt64] = []
        var meter = Meter(commits: Self.openings)
        for number in 1...Self.openings {
            let acknowledged =
                options.isKilled ? try await KilledWriter.write(options, from: posts, for: number * Self.writing) : posts
            let index = order.next(below: options.rows)
            let before = Meter.now()
            let store = try await Store.open(.directory(options.directory), KeyedPost.self)
            openings.append(Meter.now() - before)
            touch &+= try filled.post(index, in: store).touch
            meter.note(Meter.now() - before)
            posts = UInt64(try store.count(KeyedPost.all))
            guard posts >= acknowledged else {
                throw BenchmarkError("\(acknowledged) posts were acknowledged but \(posts) are there")
            }
            try await store.close()
        }
        let sum = meter.latencies.reduce(0) { $0 + Double($1) / 1e9 }
        var result = meter.finish(options, operations: UInt64(Self.openings))
        result.seconds = sum
        result.perSecond = Double(Self.openings) / sum
        result.commits = nil
        result.openMilliseconds = Double(openings.sorted()[openings.count / 2]) / 1e6
        result.touch = Digest128.hex(touch)
        try await complete(&result, &options, posts: posts, filled, first: order.next(below: options.rows))
        return result
    }

    /// Opens once more, to see what the first read reads and whether all is there.
    private func complete(
        _ result: inout Measurement, _ options: inout RunOptions, posts: UInt64, _ filled: FilledStore, first: UInt64
    ) async throws {
        let store = try await Store.open(.directory(options.directory), KeyedPost.self)
        let counts = try ReadCounts.during { try filled.post(first, in: store) }.counts
        let end = options.isKilled ? "SIGKILL while batches were written" : "a clean close"
        let reads = "\(counts.bytes >> 10) KiB in \(counts.calls) calls"
        options.describe("public API, opening after \(end) up to the first object, which took \(reads) to read")
        result.settings = options.settings
        try StoreContents<KeyedPost>(of: store).complete(&result, options, count: posts, extra: options.rows)
        try await store.close()
    }
}
