public import Projection

extension Store {
    /// Inserts any number of objects, which a closure gives one by one, in transactions of `batch` objects.
    ///
    /// Memory holds two batches: while one is made durable, the closure is asked for the next. It runs on threads of the store, one
    /// call after the other and outside of any write, so that it may read files and the store.
    ///
    /// ```swift
    /// var lines = try LineReader(path)
    /// let summary = try await store.insert(Post.self) { post in
    ///     guard let line = try lines.next() else { return false }
    ///     post.title = line
    ///     return true
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - batch: objects per transaction; at least 1.
    ///   - author: who changes, for history.
    ///   - progress: hears, after each transaction, what is durable by then.
    ///   - next: fills the object, which has its defaults; false when there is none any more.
    /// - Throws: ``BatchError`` with what is in the store by then: when `next` throws, when the store refuses an object, when the
    ///   task is cancelled, for a `batch` below 1 (`invalidOption`). Nothing of the batch concerned is in it.
    @discardableResult
    public func insert<Root: Entity>(
        _: Root.Type, batch: Int = 1_000, author: String = "",
        progress: @escaping @Sendable (BatchSummary) -> Void = { _ in },
        _ next: sending @escaping (inout Root) throws -> Bool
    ) async throws -> BatchSummary {
        try BatchError.check(batch: batch)
        return try await fill(from: ObjectFeed(size: batch, next), author, progress) { tx, object, summary in
            try tx.insert(object)
            summary.inserted += 1
        }
    }

    /// Inserts any number of objects, or merges them into those that have their unique keys; otherwise as
    /// ``insert(_:batch:author:progress:_:)``.
    ///
    /// - Throws: ``BatchError``; its cause is `incompleteKey` for an object without a complete unique key, `duplicateKey` under the
    ///   policy `fail`.
    @discardableResult
    public func upsert<Root: Entity>(
        _: Root.Type, policy: MergePolicy = .overwrite, batch: Int = 1_000, author: String = "",
        progress: @escaping @Sendable (BatchSummary) -> Void = { _ in },
        _ next: sending @escaping (inout Root) throws -> Bool
    ) async throws -> BatchSummary {
        try BatchError.check(batch: batch)
        return try await fill(from: ObjectFeed(size: batch, next), author, progress) { tx, object, summary in
            switch try tx.upsert(object, policy: policy).outcome {
            case .inserted: summary.inserted += 1
            case .updated: summary.updated += 1
            case .unchanged: summary.unchanged += 1
            }
        }
    }

    private func fill<Root: Entity>(
        from feed: ObjectFeed<Root>, _ author: String, _ progress: @Sendable (BatchSummary) -> Void,
        _ put: @escaping @Sendable (WriteTransaction, Root, inout BatchSummary) throws -> Void
    ) async throws -> BatchSummary {
        let background = engine.background
        var summary = BatchSummary()
        do {
            var objects = try await background.run { try feed.next() }
            while !objects.isEmpty {
                try Task.checkCancellation()
                async let following = background.run { try feed.next() }
                let receipt = try await write(author: author) { [objects] tx in
                    try tx.summarised { summary in for object in objects { try put(tx, object, &summary) } }
                }
                summary.add(receipt.value)
                progress(summary)
                objects = try await following
            }
            return summary
        } catch {
            throw BatchError(done: summary, cause: error)
        }
    }
}

extension WriteTransaction {
    /// Runs all of a batch; what it came to, this transaction counted if it recorded anything.
    func summarised(_ body: (inout BatchSummary) throws -> Void) throws -> BatchSummary {
        var summary = BatchSummary()
        try body(&summary)
        if changes > 0 { summary.transactions = 1 }
        return summary
    }
}
