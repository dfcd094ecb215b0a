import Strandline

/// Batches of posts, each durable, while ten other processes take all the processor time that they can get.
struct StoreBeside<Kind: CompanionKind>: Work {
    static var name: String { "store-beside-\(Kind.name)" }
    static var unit: String { "posts" }
    static var count: UInt64 { 200_000 }

    private static var companions: Int { 10 }

    func run(_ options: RunOptions) async throws -> Measurement {
        var options = options
        // Whole batches only, by which a reader sees that it was given no half of one.
        options.count = max(options.batch, options.count - options.count % options.batch)
        options.describe(
            "public API, a durable write per batch of \(options.batch), beside \(Self.companions) \(Kind.name) processes")
        let store = try await Store.open(.directory(options.directory), KeyedPost.self)
        let companions = try (0..<Self.companions).map { _ in try DriveProcess(StoreCompanion<Kind>.self, options) }
        for companion in companions { try companion.awaitReady() }
        var meter = Meter(commits: Int(options.count / options.batch))
        for companion in companions { try companion.begin() }
        for first in stride(from: 0, to: options.count, by: Int(options.batch)) {
            let posts = meter.generate { (first..<first + options.batch).map { KeyedPost(options.workload.post($0)) } }
            let before = Meter.now()
            try await store.write { tx in for post in posts { try tx.insert(post) } }
            meter.note(Meter.now() - before)
        }
        var result = meter.finish(options, operations: options.count)
        // A companion that found something wrong has ended already, which is an error here.
        for companion in companions { _ = try companion.kill() }
        try await store.close()
        try await StoreContents<KeyedPost>.check(at: options.directory, &result, options)
        return result
    }
}
