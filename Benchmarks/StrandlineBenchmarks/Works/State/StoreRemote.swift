import Foundation
import Storage
import Strandline

/// Random updates made by another replica, received into a store of many objects, cold.
struct StoreRemote: Work {
    static let name = "store-remote"
    static let unit = "changes"
    static let count: UInt64 = 1_000_000

    func run(_ options: RunOptions) async throws -> Measurement {
        var options = options
        options.describe("public API, sync with a store that has \(options.batch) changes a transaction, a count, closing")
        try DriveProcess.run(RemoteChanges.self, options)
        let places = RemotePlaces(options)
        try PageCache.evict(below: options.directory)
        let store = try await Store.open(.directory(places.here), KeyedPost.self)
        let meter = Meter()
        let report = try await store.sync(with: .store(path: places.there))
        // What came is folded into the state when somebody asks.
        let changed = try store.count(KeyedPost.where { $0.views >= Int(Workload.viewsEnd) })
        let before = Meter.now()
        try await store.close()
        let settled = Double(Meter.now() - before) / 1e9
        var result = meter.finish(options, operations: options.count)
        result.settleSeconds = settled
        result.transactionsPerSecond = Double(report.imported.transactions) / result.seconds
        let reopened = try await Store.open(.directory(places.here), KeyedPost.self)
        let views = RemotePlaces.views(options)
        guard views.count(where: { $0 != nil }) == changed else { throw BenchmarkError("\(changed) posts were changed") }
        try StoreContents<KeyedPost>(of: reopened).complete(&result, options, count: options.rows) { index, post in
            if let last = views[Int(index)] { post.views = last }
        }
        try await reopened.close()
        return result
    }
}

/// The two replicas, and what one changes.
struct RemotePlaces {
    let here: String
    let there: String

    init(_ options: RunOptions) {
        here = "\(options.directory)/here"
        there = "\(options.directory)/there"
    }

    /// The views that each post has in the end; nil for those that are left alone.
    static func views(_ options: RunOptions) -> [Int64?] {
        var views = [Int64?](repeating: nil, count: Int(options.rows))
        var order = ReadOrder(options.workload)
        for change in 0..<options.count {
            views[Int(order.next(below: options.rows))] = Int64(Workload.viewsEnd + change)
        }
        return views
    }
}

/// Makes the two replicas of ``StoreRemote``, and the changes in one of them.
struct RemoteChanges: Work {
    static let name = "store-remote-changes"
    static let unit = "changes"
    static let count: UInt64 = 1_000_000

    func run(_ options: RunOptions) async throws -> Measurement {
        let places = RemotePlaces(options)
        var there = options
        there.directory = places.there
        try FileManager.default.createDirectory(atPath: options.directory, withIntermediateDirectories: true)
        try await StoreFilling.fill(there, posts: options.rows)
        let store = try await Store.open(.directory(places.there), KeyedPost.self)
        try await store.backup(to: places.here)
        // The copy makes its runs.
        try await Store.open(.directory(places.here), KeyedPost.self).close()
        let posts = try FilledStore(store, there)
        let meter = Meter()
        var order = ReadOrder(options.workload)
        for first in stride(from: 0, to: options.count, by: Int(options.batch)) {
            let changes = (first..<min(first + options.batch, options.count)).map {
                (posts.id(order.next(below: options.rows)), Int(Workload.viewsEnd + $0))
            }
            try await store.write { tx in for (id, views) in changes { try tx.update(id) { $0.views = views } } }
        }
        try await store.close()
        return meter.finish(options, operations: options.count)
    }
}
