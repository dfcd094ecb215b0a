import Storage
import Strandline

/// Half of the posts, selected by a predicate, given a value in one durable transaction with its history.
struct StoreUpdate: Work {
    static let name = "store-update"
    static let unit = "posts"
    static let count: UInt64 = 1_000_000

    func run(_ options: RunOptions) async throws -> Measurement {
        var options = options
        options.describe("public API, values set by predicate in one durable transaction, with history; closed at the end")
        let views = Value.int(Int64(Workload.viewsEnd))
        return try await Self.measure(options) { store in
            try await store.update(Self.selection, set: [PropertyValue(Property("views", .int), views)])
        }
    }

    static let selection = KeyedPost.where { $0.views < Int(Workload.viewsEnd / 2) }

    /// Measures an update that gives the selection the views that were drawn for nobody.
    static func measure(
        _ options: RunOptions, _ update: (Store) async throws -> BatchSummary
    ) async throws -> Measurement {
        try FilledStore.make(options, posts: options.rows)
        let store = try await Store.open(.directory(options.directory), KeyedPost.self)
        _ = try store.count(KeyedPost.all)
        var meter = Meter(commits: 1)
        let before = Meter.now()
        let updated = UInt64(try await update(store).updated)
        let done = Meter.now()
        meter.note(done - before)
        try await store.close()
        let settled = Double(Meter.now() - done) / 1e9
        var result = meter.finish(options, operations: updated)
        result.settleSeconds = settled
        result.touch = Digest128.hex(updated)
        let reopened = try await Store.open(.directory(options.directory), KeyedPost.self)
        try StoreContents<KeyedPost>(of: reopened).complete(&result, options, count: options.rows) { _, post in
            if post.views < Int64(Workload.viewsEnd / 2) { post.views = Int64(Workload.viewsEnd) }
        }
        try await reopened.close()
        return result
    }
}
