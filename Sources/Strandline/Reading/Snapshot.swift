public import EventLog
public import Projection
import Storage

/// The state of a store at one moment, whatever is written later.
///
/// ```swift
/// let before = try await store.snapshot(at: receipt.token)
/// let old = try before.fetch(Post.where { $0.views > 500 })
/// ```
public final class Snapshot: Sendable {
    private let state: FoldState
    private let blobs: StoreBlobs
    private let schemas: SchemaSet

    init(_ state: FoldState, blobs: StoreBlobs, schemas: SchemaSet) {
        self.state = state
        self.blobs = blobs
        self.schemas = schemas
    }

    var reader: StateReader { StateReader(box: StateBox(state, blobs: blobs)) }

    /// Answers, unless something of the runs could not be read: then the answer may lack it.
    private func answer<Result>(_ body: (StateReader) throws -> Result) throws -> Result {
        let result = try body(reader)
        guard let failure = state.objects.base?.failure else { return result }
        throw StoreError(.storage, "a part of the snapshot can no longer be read; take it again: \(failure)")
    }

    /// The objects that a request selects, in its order.
    public func fetch<Root: Entity>(_ request: FetchRequest<Root>) throws -> [Root] {
        let codec = try schemas.codec(Root.self)
        return try answer { try $0.fetch(request, codec) }
    }

    /// How many objects a request selects.
    public func count<Root: Entity>(_ request: FetchRequest<Root>) throws -> Int {
        try answer { try $0.count(request.description) }
    }

    /// The object with an id, or nil when it was not there.
    public func row(_ id: ObjectID) -> Row? { state.row(id) }

    /// The objects that a relationship of an object leads to, ascending; see ``Store/related(to:by:)``.
    public func related(to id: ObjectID, by name: String) -> [ObjectID] { reader.related(to: id, by: name) }

    /// The entities that were known, ascending by name.
    public func schema() -> [EntityDeclaration] { state.schema.names.compactMap { state.schema.declaration(of: $0) } }

    /// The objects of an entity that a filter holds for, in order of the keys and then of their ids.
    public func rows(
        of entity: String, where filter: Filter = .always(true), sortedBy sort: [SortKey] = [], limit: Int? = nil,
        offset: Int = 0
    ) throws -> [Row] {
        let request = FetchDescription(entity: entity, filter: filter, sort: sort, limit: limit, offset: offset)
        return try answer { reader in try reader.rows(request).compactMap { reader.state.row($0.id) } }
    }

    /// How many objects of an entity a filter holds for.
    public func count(of entity: String, where filter: Filter = .always(true)) throws -> Int {
        try answer { try $0.count(FetchDescription(entity: entity, filter: filter)) }
    }

    /// Figures over the objects that a filter holds for, one row of them per distinct combination of `keys`.
    public func groups(
        of entity: String, where filter: Filter = .always(true), by keys: [PropertyPath], _ aggregates: [Aggregate]
    ) throws -> [(keys: [Value], values: [Value])] {
        try answer { try $0.groups(entity, filter, by: keys, aggregates).map { ($0.keys, $0.values) } }
    }

    /// See ``Store/digest()``.
    public func digest() -> String { state.stateDigest.description }

    /// See ``Store/contentDigest()``.
    public func contentDigest() -> String { state.contentDigest.description }
}
