public import EventLog
import Projection

extension Store {
    /// The objects that a request selects: now, and then whenever a transaction of any process may have changed them.
    ///
    /// Whoever takes values slowly gets the latest and none of those between. A value may equal the one before it: what is told is
    /// that something may have changed. Ends when its task is cancelled; one that is dropped leaves nothing behind.
    ///
    /// ```swift
    /// for try await posts in store.values(of: Post.where { $0.views > 500 }.sorted(by: \.title)) { show(posts) }
    /// ```
    ///
    /// - Throws: while it is iterated, what ``fetch(_:)`` throws, and `closed` once the store is closed.
    public func values<Root: Entity>(of request: FetchRequest<Root>) -> LiveValues<[Root]> {
        let schemas = engine.schemas
        return LiveValues(engine: engine, request: request.description) { try $0.fetch(request, try schemas.codec(Root.self)) }
    }

    /// How many objects a request selects: now, and then whenever another number is seen.
    public func counts<Root: Entity>(of request: FetchRequest<Root>) -> LiveValues<Int> {
        let description = request.description
        return LiveValues(
            engine: engine, request: description, isSame: { $0 == $1 }, read: { try $0.count(description) })
    }

    /// Which objects transactions change, as these become durable: of any process that has the store open, and of other replicas as
    /// they are received.
    ///
    /// One element per transaction that changes an object of the entities, none left out and in the order in which they came into
    /// this store. What is told is what the transaction did; what became of it beside concurrent writes shows a fetch. A
    /// relationship counts for the object that keeps it: a to-one for its holder, a many-to-many for the side that owns it.
    ///
    /// ```swift
    /// for try await transaction in store.changes(entities: ["Post"]) where !transaction.isOwn {
    ///     print("from elsewhere:", transaction["Post"]?.updated ?? [])
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - entities: wire names; empty for all.
    ///   - token: begins with what it does not cover; nil for what comes from now on.
    /// - Throws: as ``transactions(after:_:)``.
    public func changes(entities: [String] = [], after token: HistoryToken? = nil) -> LiveChanges {
        LiveChanges(history: transactions(after: token), entities: Set(entities.map { WireName($0) }))
    }

    /// As ``changes(entities:after:)``, of one type's objects.
    public func changes<Root: Entity>(of _: Root.Type, after token: HistoryToken? = nil) -> LiveChanges {
        changes(entities: [Root.schema.description.name], after: token)
    }
}

extension Store {
    /// How many sequences of values observe the store at the moment.
    package var observers: Int { engine.notifier.count }
}
