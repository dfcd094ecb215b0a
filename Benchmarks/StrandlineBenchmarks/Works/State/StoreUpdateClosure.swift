import Strandline

/// The same as ``StoreUpdate`` by a closure that is given each object.
struct StoreUpdateClosure: Work {
    static let name = "store-update-closure"
    static let unit = "posts"
    static let count: UInt64 = 1_000_000

    func run(_ options: RunOptions) async throws -> Measurement {
        var options = options
        options.describe("public API, each object changed by a closure in one durable transaction; closed at the end")
        return try await StoreUpdate.measure(options) { store in
            try await store.update(StoreUpdate.selection) { $0.views = Int(Workload.viewsEnd) }
        }
    }
}
