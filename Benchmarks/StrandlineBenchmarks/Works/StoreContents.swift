import Storage
package import Strandline

/// The posts of a store, fetched back as the application sees them.
package struct StoreContents<Post: StoredPost> {
    private(set) var posts: UInt64 = 0
    private(set) var bytes: UInt64 = 0
    /// The sum of the posts' hashes.
    package private(set) var hash: UInt64 = 0
    /// The sum of what touching them came to.
    private(set) var touch: UInt64 = 0

    /// Reads everything, in pieces by the posts' views: those that were drawn, and those that were given later.
    ///
    /// - Parameter most: about how many posts may be in memory at once.
    package init(of store: Store, atOnce most: Int = 1_000_000) throws {
        let pieces = (try store.count(Post.all) + most - 1) / most
        guard pieces > 1 else {
            for post in try store.fetch(Post.all) { try add(post) }
            return
        }
        let width = Int(Workload.viewsEnd) / pieces
        for piece in 0..<2 * pieces {
            let end = piece == 2 * pieces - 1 ? Int.max : (piece + 1) * width
            let filter = KeyedPost.where { $0.views >= piece * width && $0.views < end }.filter
            for post in try store.fetch(FetchRequest<Post>(filter)) { try add(post) }
        }
    }

    package init(_ posts: [Post]) throws { for post in posts { try add(post) } }

    private mutating func add(_ post: Post) throws {
        guard let record = post.record else { throw BenchmarkError("post \(post.id) has lost its key") }
        posts += 1
        bytes += record.size
        hash &+= record.hash
        touch &+= post.touch
    }

    /// The sum of the posts' hashes, once they are the first posts of a workload, changed.
    ///
    /// - Parameters:
    ///   - count: how many posts there should be.
    ///   - extra: from which of them on they are left out of the sum.
    ///   - change: what was done to them.
    /// - Throws: ``BenchmarkError`` when they are others.
    package func hash(
        of workload: Workload, count: UInt64, extra: UInt64? = nil, change: (UInt64, inout PostRecord) -> Void = { _, _ in }
    ) throws -> UInt64 {
        guard posts == count else { throw BenchmarkError("there should be \(count) posts but \(posts) are there") }
        var sums: (first: UInt64, extra: UInt64) = (0, 0)
        for index in 0..<count {
            var post = workload.post(index)
            change(index, &post)
            if index < extra ?? count { sums.first &+= post.hash } else { sums.extra &+= post.hash }
        }
        guard hash == sums.first &+ sums.extra else {
            throw BenchmarkError("the posts fetched differ from those written")
        }
        return sums.first
    }

    /// Notes in a result what is stored, once it is what ``hash(of:count:extra:change:)`` asks for.
    func complete(
        _ result: inout Measurement, _ run: RunOptions, count: UInt64, extra: UInt64? = nil,
        change: (UInt64, inout PostRecord) -> Void = { _, _ in }
    ) throws {
        result.resultHash = Digest128.hex(try hash(of: run.workload, count: count, extra: extra, change: change))
        result.logicalBytes = bytes
    }

    /// Compares what a fetch gives and what the log of the closed store holds with what was written; closes the store.
    static func check(_ store: Store, _ result: inout Measurement, _ run: RunOptions) async throws {
        let contents = try Self(of: store)
        try await store.close()
        try LogContents(at: run.directory).complete(&result, run)
        guard contents.posts == run.count, result.resultHash == Digest128.hex(contents.hash) else {
            throw BenchmarkError("a fetch gives \(contents.posts) posts that are not the \(run.count) of the log")
        }
    }

    /// The same of a store that was closed, opened anew.
    static func check(at directory: String, _ result: inout Measurement, _ run: RunOptions) async throws {
        try await check(try await Store.open(.directory(directory), Post.self), &result, run)
    }
}
