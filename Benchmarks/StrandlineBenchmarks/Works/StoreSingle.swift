/// One post at a time through the public interface, each durable when `write` returns.
struct StoreSingle: Work {
    static let name = "store-single"
    static let unit = "commits"
    static let count: UInt64 = 20_000

    func run(_ options: RunOptions) async throws -> Measurement {
        var options = options
        options.batch = 1
        return try await StoreCommits<KeyedPost>().run(options)
    }
}
