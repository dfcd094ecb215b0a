public import EventLog
public import Projection

// Work on all objects that a request selects.
extension Store {
    /// Changes all objects that a request selects; only the properties that `change` leaves different are recorded.
    ///
    /// ```swift
    /// try await store.update(Post.where { $0.views > 500 }) { $0.views += 1 }
    /// ```
    ///
    /// - Parameters:
    ///   - batch: objects per transaction, at least 1; nil for one transaction with all of them. The objects are selected once, at the start;
    ///     one that a later transaction finds changed so that the predicate does not hold for it any more is left out.
    ///   - author: who changes, for history.
    ///   - progress: hears, after each transaction, what is durable by then.
    /// - Throws: in one transaction, as ``write(author:durability:_:)``. With a `batch`, ``BatchError``: the transactions before
    ///   stay.
    @discardableResult
    public func update<Root: Entity>(
        _ request: FetchRequest<Root>, batch: Int? = nil, author: String = "",
        progress: @escaping @Sendable (BatchSummary) -> Void = { _ in },
        _ change: @escaping @Sendable (inout Root) throws -> Void
    ) async throws -> BatchSummary {
        try await work(on: request.description, batch: batch, author, progress) { tx, ids, summary in
            for id in ids {
                let before = tx.changes
                try tx.update(EntityID<Root>(id), change)
                if tx.changes > before { summary.updated += 1 } else { summary.unchanged += 1 }
            }
        }
    }

    /// Sets properties to the same values in all objects that a request selects, without loading them.
    ///
    /// Otherwise as ``update(_:batch:author:progress:_:)``.
    ///
    /// - Throws: also `unknownProperty`, `typeMismatch`.
    @discardableResult
    public func update<Root: Entity>(
        _ request: FetchRequest<Root>, set values: [PropertyValue], batch: Int? = nil, author: String = "",
        progress: @escaping @Sendable (BatchSummary) -> Void = { _ in }
    ) async throws -> BatchSummary {
        try await set(values, request.description, batch: batch, author, progress)
    }

    /// Sets properties of the objects of an entity, by wire names.
    ///
    /// - Throws: as ``update(_:set:batch:author:progress:)``, and `unknownEntity`.
    @discardableResult
    public func update(
        of entity: String, where filter: Filter = .always(true), set values: [PropertyValue], batch: Int? = nil,
        author: String = "", progress: @escaping @Sendable (BatchSummary) -> Void = { _ in }
    ) async throws -> BatchSummary {
        try await set(values, FetchDescription(entity: entity, filter: filter), batch: batch, author, progress)
    }

    /// Deletes all objects that a request selects, by the delete rules of their relationships.
    ///
    /// What goes in one transaction may refer to each other whatever the rules; with a `batch`, an object that one of a later batch
    /// refers to under the rule deny is in the way.
    ///
    /// - Parameters:
    ///   - limit: at most so many, in the order of the request; nil for all.
    ///   - batch: objects per transaction, at least 1; nil for one transaction with all of them.
    /// - Throws: in one transaction `denied` naming who refers to an object. With a `batch`, ``BatchError``: the transactions before
    ///   stay.
    @discardableResult
    public func delete<Root: Entity>(
        _ request: FetchRequest<Root>, limit: Int? = nil, batch: Int? = nil, author: String = "",
        progress: @escaping @Sendable (BatchSummary) -> Void = { _ in }
    ) async throws -> BatchSummary {
        var description = request.description
        if let limit { description.limit = min(limit, description.limit ?? .max) }
        return try await delete(description, batch: batch, author, progress)
    }

    /// Deletes objects of an entity, by its wire name.
    ///
    /// - Throws: as ``delete(_:limit:batch:author:progress:)``, and `unknownEntity`.
    @discardableResult
    public func delete(
        of entity: String, where filter: Filter = .always(true), limit: Int? = nil, batch: Int? = nil, author: String = "",
        progress: @escaping @Sendable (BatchSummary) -> Void = { _ in }
    ) async throws -> BatchSummary {
        try await delete(FetchDescription(entity: entity, filter: filter, limit: limit), batch: batch, author, progress)
    }
}

extension Store {
    private typealias Work = @Sendable (WriteTransaction, [ObjectID], inout BatchSummary) throws -> Void

    private func set(
        _ values: [PropertyValue], _ request: FetchDescription, batch: Int?, _ author: String,
        _ progress: @Sendable (BatchSummary) -> Void
    ) async throws -> BatchSummary {
        guard let batch else {
            let summary = try await write(author: author) { tx in
                try tx.summarised { summary in
                    let (selected, changed) = try tx.update(request, values)
                    summary.updated += changed
                    summary.unchanged += selected - changed
                }
            }.value
            progress(summary)
            return summary
        }
        return try await work(on: request, batch: batch, author, progress) { [entity = request.entity] tx, ids, summary in
            let updated = try tx.update(ids, of: entity, values)
            summary.updated += updated
            summary.unchanged += ids.count - updated
        }
    }

    private func delete(
        _ request: FetchDescription, batch: Int?, _ author: String, _ progress: @Sendable (BatchSummary) -> Void
    ) async throws -> BatchSummary {
        try await work(on: request, batch: batch, author, progress) { tx, ids, summary in
            try tx.delete(ids)
            summary.deleted += ids.count
        }
    }

    private func work(
        on request: FetchDescription, batch: Int?, _ author: String, _ progress: @Sendable (BatchSummary) -> Void,
        _ work: @escaping Work
    ) async throws -> BatchSummary {
        guard let batch else {
            let summary = try await write(author: author) { tx in
                let ids = try tx.wrapped { try tx.reader.ids(request) }
                return try tx.summarised { try work(tx, ids, &$0) }
            }.value
            progress(summary)
            return summary
        }
        try BatchError.check(batch: batch)
        let engine = engine
        var summary = BatchSummary()
        do {
            let ids = try await engine.background.run { try engine.read { try $0.ids(request) } }
            for start in stride(from: 0, to: ids.count, by: batch) {
                try Task.checkCancellation()
                let part = Array(ids[start..<min(start + batch, ids.count)])
                let receipt = try await write(author: author) { tx in
                    let left = try tx.wrapped { try tx.reader.selected(part, by: request) }
                    return try tx.summarised { if !left.isEmpty { try work(tx, left, &$0) } }
                }
                summary.add(receipt.value)
                progress(summary)
            }
            return summary
        } catch {
            throw BatchError(done: summary, cause: error)
        }
    }
}

extension StateReader {
    /// Those of some objects that are there, and for which the filter of a request holds.
    fileprivate func selected(_ ids: [ObjectID], by request: FetchDescription) throws(StoreError) -> [ObjectID] {
        let bound = try bound(request)
        do throws(PredicateError) {
            let filter = try CompiledFilter(bound.filter)
            return ids.filter { id in StateRow(id, in: box).map { filter.matches($0) } ?? false }
        } catch {
            throw StoreError(error)
        }
    }
}
