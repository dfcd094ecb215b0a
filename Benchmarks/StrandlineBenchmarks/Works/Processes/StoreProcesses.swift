import Strandline

/// Four processes of 16 tasks each, committing one post at a time into one store, durable.
struct StoreProcesses: Work {
    static let name = "store-processes"
    static let unit = "commits"
    static let count: UInt64 = 40_000

    private static let processes: UInt64 = 4

    func run(_ options: RunOptions) async throws -> Measurement {
        var options = options
        options.describe("public API, \(Self.processes) processes of 16 tasks, one post per durable write; unique key")
        let store = try await Store.open(.directory(options.directory), KeyedPost.self)
        try await store.close()
        let members = try (0..<Self.processes).map { number in
            try DriveProcess(
                StoreMember.self, options, ["--batch", "\(Self.processes)", "--size", "\(number)", "--tasks", "16"])
        }
        for member in members { try member.awaitReady() }
        var meter = Meter()
        meter.restart()
        for member in members { try member.begin() }
        let results = try members.map { try $0.result() }
        var result = meter.finish(options, operations: options.count)
        // The clock of the parent would count how long the members took to end.
        result.seconds = results.map(\.seconds).max() ?? 0
        result.perSecond = Double(options.count) / result.seconds
        result.commits = results.reduce(0) { $0 + ($1.commits ?? 0) }
        result.p50Microseconds = results.compactMap(\.p50Microseconds).max()
        result.p99Microseconds = results.compactMap(\.p99Microseconds).max()
        result.maxMicroseconds = results.compactMap(\.maxMicroseconds).max()
        result.peakAnonKiB = results.map(\.peakAnonKiB).max() ?? 0
        result.peakHWMKiB = results.map(\.peakHWMKiB).max() ?? 0
        let counts = results.compactMap(\.flushDetail)
        result.flushDetail = counts.count == results.count ? counts.reduce(FlushCounts(), +) : nil
        result.flushes = result.flushDetail?.sum
        let reopened = try await Store.open(.directory(options.directory), KeyedPost.self)
        try await StoreContents<KeyedPost>.check(reopened, &result, options)
        return result
    }
}
