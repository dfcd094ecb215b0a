import Storage
import Strandline

/// The posts of a store, fetched back as the application sees them.
enum StoreContents<Post: StoredPost> {
    /// Compares what a fetch gives and what the log of the closed store holds with what was written; closes the store.
    static func check(_ store: Store, _ result: inout Measurement, _ run: RunOptions) async throws {
        let posts = try store.fetch(Post.all)
        var hash: UInt64 = 0
        for post in posts {
            guard let record = post.record else { throw BenchmarkError("post \(post.id) has lost its key") }
            hash &+= record.hash
        }
        try await store.close()
        try LogContents(at: run.directory).complete(&result, run)
        guard posts.count == run.count, result.resultHash == Digest128.hex(hash) else {
            throw BenchmarkError("a fetch gives \(posts.count) posts that are not the \(run.count) of the log")
        }
    }
}
