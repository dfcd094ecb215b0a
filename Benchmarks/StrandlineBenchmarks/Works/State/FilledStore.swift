import Strandline

/// A store that holds the first posts of the workload, and where each of them is.
struct FilledStore {
    /// The first post's id: those of one origin's batches follow from it.
    private let first: ObjectID
    private let batch: UInt64

    /// Fills a store in another process, so that neither memory nor caches of the filling are in this one.
    static func make(_ options: RunOptions, posts: UInt64) throws {
        var filling = options
        filling.count = posts
        try DriveProcess.run(StoreFilling.self, filling, ["--unchecked"])
    }

    /// What is known of a store that ``make(_:posts:)`` filled.
    init(_ store: Store, _ options: RunOptions) throws {
        guard let first = try store.ids(of: KeyedPost.all.limit(1)).first else { throw BenchmarkError("the store is empty") }
        self.first = first.object
        batch = options.batch
    }

    /// The same, without leaving the store open.
    init(_ options: RunOptions) async throws {
        let store = try await Store.open(.directory(options.directory), KeyedPost.self)
        try self.init(store, options)
        try await store.close()
    }

    func id(_ index: UInt64) -> KeyedPost.ID {
        EntityID(
            ObjectID(replica: first.replica, sequence: first.sequence + index / batch, index: UInt32(index % batch)))
    }

    /// A post by its number.
    func post(_ index: UInt64, in store: Store) throws -> KeyedPost {
        guard let post = try store.get(id(index)) else { throw BenchmarkError("post \(index) is not found by its id") }
        return post
    }
}
