public import EventLog
public import Projection
import Storage
import Synchronization

// Invariants
// * What is held is always the same state; it changes places only when a run of it cannot be read.

/// The state of a store at one moment, whatever is written later.
///
/// A part of its files that turns out to be damaged is made good from the log; where the log cannot be read either, or was changed
/// by a failed commit, methods throw `busy`.
///
/// ```swift
/// let before = try await store.snapshot(at: receipt.token)
/// let old = try before.fetch(Post.where { $0.views > 500 })
/// ```
public final class Snapshot: Sendable {
    /// What is read, and whether it was made anew because a run could not be.
    private struct Held {
        var box: ReadOnlyBox
        var isMadeAnew = false
    }

    private let held: Mutex<Held>
    let schemas: SchemaSet
    private let blobs: StoreBlobs
    /// The same state from the log, without the runs that it is read from; nil when it cannot be had.
    private let anew: @Sendable (FoldState) throws -> FoldState?

    init(
        _ state: FoldState, blobs: StoreBlobs, schemas: SchemaSet,
        anew: @escaping @Sendable (FoldState) throws -> FoldState? = { _ in nil }
    ) {
        held = Mutex(Held(box: ReadOnlyBox(StateBox(state, blobs: blobs))))
        self.schemas = schemas
        self.blobs = blobs
        self.anew = anew
    }

    var state: FoldState { held.withLock { $0.box.box.state } }

    /// The runs that it reads.
    var runs: RunSet? { state.objects.base as? RunSet }

    /// Answers; where something of the runs could not be read, from the same state made anew from the log.
    ///
    /// Every question goes through here, for what cannot be read is as if it were not there until `failure` is looked at.
    ///
    /// - Parameters:
    ///   - body: may be called twice.
    ///   - again: what to ask a state that was made anew, where `body` knows places in the runs of this one.
    func answer<Result>(
        _ body: (StateReader) throws -> Result, again: ((StateReader) throws -> Result)? = nil
    ) throws(StoreError) -> Result {
        let first = held.withLock { $0 }
        let answered = Swift.Result {
            if first.isMadeAnew, let again { return try again(StateReader(box: first.box.box)) }
            return try body(StateReader(box: first.box.box))
        }
        guard let failure = first.box.box.state.objects.base?.failure else { return try Self.translating(answered) }
        if let state = (try? anew(first.box.box.state)) ?? nil {
            let second = Held(box: ReadOnlyBox(StateBox(state, blobs: blobs)), isMadeAnew: true)
            let answered = Swift.Result {
                if let again { return try again(StateReader(box: second.box.box)) }
                return try body(StateReader(box: second.box.box))
            }
            if state.objects.base?.failure == nil {
                held.withLock { $0 = second }
                return try Self.translating(answered)
            }
        }
        throw StoreError(
            .busy, "a part of the snapshot can no longer be read; take the snapshot again: \(failure)",
            underlying: LogError(failure))
    }

    private static func translating<Result>(_ answered: Swift.Result<Result, any Error>) throws(StoreError) -> Result {
        do { return try answered.get() } catch {
            throw StoreError.of(error, "a run cannot be read: ")
        }
    }

    /// The objects that a request selects, in its order.
    ///
    /// - Throws: `unknownEntity` for a type the store was not opened with, `invalidPredicate`, `unknownProperty`; `busy` when a part
    ///   of the snapshot can no longer be read, as all methods of a snapshot do.
    public func fetch<Root: Entity>(_ request: FetchRequest<Root>) throws -> [Root] {
        let codec = try schemas.codec(Root.self)
        return try answer { try $0.fetch(request, codec) }
    }

    /// Some properties of the objects that a request selects: `[(String, Int)]` for `select(\.title, \.views)`.
    ///
    /// - Throws: `unknownEntity`, `invalidPredicate`, `unknownProperty`, `busy`.
    public func fetch<Root: Entity, each V: Storable>(_ selection: Selection<Root, repeat each V>) throws -> [(repeat each V)] {
        try answer { try $0.fetch(selection) }
    }

    /// The ids of the objects that a request selects, in its order.
    ///
    /// - Throws: `unknownEntity`, `invalidPredicate`, `unknownProperty`, `busy`.
    public func ids<Root: Entity>(of request: FetchRequest<Root>) throws -> [EntityID<Root>] {
        try answer { try $0.ids(request.description).map { EntityID($0) } }
    }

    /// The object with an id, or nil when it was deleted, was hidden, or had not arrived.
    ///
    /// - Throws: `unknownEntity` for a type the store was not opened with, `busy`.
    public func get<Root: Entity>(_ id: EntityID<Root>) throws -> Root? {
        let codec = try schemas.codec(Root.self)
        return try answer { $0.get(id.object, codec) }
    }

    /// The objects with some ids, nil for those that were deleted, were hidden, or had not arrived.
    ///
    /// - Throws: `unknownEntity` for a type the store was not opened with, `busy`.
    public func get<Root: Entity>(_ ids: [EntityID<Root>]) throws -> [Root?] {
        let codec = try schemas.codec(Root.self)
        return try answer { try $0.get(ids, codec) }
    }

    /// How many objects a request selects.
    ///
    /// - Throws: `unknownEntity`, `invalidPredicate`, `unknownProperty`, `busy`.
    public func count<Root: Entity>(_ request: FetchRequest<Root>) throws -> Int {
        try answer { try $0.count(request.description) }
    }

    /// The object with an id, or nil when it was not there.
    ///
    /// - Throws: `busy` when that cannot be told, because a part of the snapshot can no longer be read.
    public func row(_ id: ObjectID) throws -> Row? { try answer { $0.state.row(id) } }

    /// The objects that a relationship of an object leads to, ascending; see ``Store/related(to:by:)``.
    ///
    /// - Throws: `busy`.
    public func related(to id: ObjectID, by name: String) throws -> [ObjectID] {
        try answer { $0.related(to: id, by: name) }
    }

    /// The entities that were known, ascending by name.
    public func schema() -> [EntityDeclaration] { state.schema.names.compactMap { state.schema.declaration(of: $0) } }

    /// The objects of an entity that a filter holds for, in order of the keys and then of their ids.
    ///
    /// - Parameter properties: the wire names of what to read, in any order; nil for everything. Only what is named is read, so a row
    ///   has no fields of other names.
    /// - Throws: `unknownEntity`, `invalidPredicate`, `unknownProperty`, `busy`.
    public func rows(
        of entity: String, where filter: Filter = .always(true), sortedBy sort: [SortKey] = [], limit: Int? = nil,
        offset: Int = 0, properties: [String]? = nil
    ) throws -> [Row] {
        let request = FetchDescription(
            entity: entity, filter: filter, sort: sort, limit: limit, offset: offset, properties: properties)
        return try answer { try $0.plainRows(request) }
    }

    /// How many objects of an entity a filter holds for.
    ///
    /// - Throws: `unknownEntity`, `invalidPredicate`, `unknownProperty`, `busy`.
    public func count(of entity: String, where filter: Filter = .always(true)) throws -> Int {
        try answer { try $0.count(FetchDescription(entity: entity, filter: filter)) }
    }

    /// Figures over the objects that a filter holds for, one row of them per distinct combination of `keys`, sorted by them.
    ///
    /// Values are one key when a predicate finds them equal, and so are NaN and NaN. Where they are stored differently, a key is
    /// given as the first of those its objects have: -0.0 before 0.0, strings by their UTF-8; so every replica with the same
    /// objects gives the same keys. `min` and `max` choose in the same way.
    ///
    /// - Parameter having: which groups are meant: a filter over the properties grouped by and over the figures, each named as it is
    ///   asked for. In a text a figure stands between backquotes: `` `avg:magnitude` > 2.5 ``.
    /// - Throws: `unknownEntity`, `invalidPredicate`, `unknownProperty`, `busy`.
    public func groups(
        of entity: String, where filter: Filter = .always(true), by keys: [PropertyPath], _ aggregates: [Aggregate],
        having: Filter? = nil
    ) throws -> [(keys: [Value], values: [Value])] {
        try answer { try $0.groups(entity, filter, by: keys, aggregates, having: having).map { ($0.keys, $0.values) } }
    }

    /// See ``Store/digest()``.
    ///
    /// - Throws: `busy`.
    public func digest() throws -> String { try answer { $0.state.stateDigest.description } }

    /// See ``Store/contentDigest()``.
    ///
    /// - Throws: `busy`.
    public func contentDigest() throws -> String { try answer { $0.state.contentDigest.description } }
}

/// A state by reference that nobody changes.
private struct ReadOnlyBox: @unchecked Sendable {  // No lock: immutable from here on.
    let box: StateBox
    init(_ box: sending StateBox) { self.box = box }
}
