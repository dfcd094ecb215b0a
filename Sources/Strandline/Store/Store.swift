public import EventLog
public import Projection

/// A replica's copy of a dataset, open for use.
///
/// ```swift
/// let store = try await Store.open(at: url, Post.self, Attachment.self)
/// let receipt = try await store.write { tx in try tx.insert(Post(title: "Hello")).id }
/// let recent = try store.fetch(Post.where { $0.views > 500 }.sorted(by: \.title).limit(10))
/// ```
///
/// Any number of tasks may use a store at once, and any number of processes may have the same store open. Writes take turns; those
/// that arrive while one is being made durable are made durable together. Reads see everything written through this store, and what
/// other processes have made durable. All methods throw ``StoreError``.
///
/// What is `async` waits for the disk on threads of the store. What is not answers on the thread that asks, from memory and from the
/// projection's files; it also reads from disk the bytes of blobs, and what other processes wrote since the store was
/// last used. No reader waits for a write's closure: until that has returned, it sees what was there before.
public final class Store: Sendable {
    let engine: Engine

    init(_ engine: Engine) { self.engine = engine }

    /// The dataset that this store is a copy of.
    public var dataset: DatasetID { engine.log.dataset }

    /// The id under which this store writes now; it takes a new one whenever it might have used a sequence before.
    public var replica: ReplicaID { engine.log.replica }

    /// What the store has noticed and done by itself since it was opened: the latest hundred reports.
    public var reports: [StoreReport] { engine.reports.latest }

    /// Where the store says what it does.
    package var records: RecordLog { engine.records }

    /// What opening had to mend.
    package var recovery: RecoveryReport { engine.log.recovery }

    /// Waits for the writes that have begun, then closes the store.
    ///
    /// A store that is not closed loses nothing; the next opening has a little more to check. Afterwards every call throws `closed`.
    ///
    /// - Throws: `outcomeUnknown` or `storage` when the disk failed at last; the store is closed all the same.
    public func close() async throws {
        let engine = engine
        try await engine.background.run { try engine.close() }
    }
}

// Writing.
extension Store {
    /// Runs a transaction.
    ///
    /// The closure runs on a thread of the store, alone among all processes that have the store open. Everything it changes becomes
    /// visible when it returns, or nothing if it throws; what it throws is thrown here. A closure that changes nothing records
    /// nothing.
    ///
    /// - Parameters:
    ///   - author: who changes, for history; at most 1,024 bytes of UTF-8.
    ///   - durability: what to wait for.
    /// - Returns: what the closure returned, with the token of the history up to here.
    /// - Throws: what the closure throws; `outcomeUnknown` when the disk failed while committing, `readOnly`, `storage`,
    ///   `tooLarge` for a longer author.
    @discardableResult
    public func write<Value: Sendable>(
        author: String = "", durability: Durability = .durable,
        _ body: sending @escaping (WriteTransaction) throws -> Value
    ) async throws -> Receipt<Value> {
        try engine.checkReadable()
        let body = Sent(body)
        return try await withCheckedThrowingContinuation { continuation in
            engine.write(author: author, isRelaxed: durability == .relaxed, { try body.value($0) }) {
                continuation.resume(with: $0)
            }
        }
    }
}

/// A value on its way to another thread.
struct Sent<Value>: @unchecked Sendable {  // No lock: it was `sending`, so one thread alone has it.
    let value: Value
    init(_ value: sending Value) { self.value = value }
}

// Reading.
extension Store {
    /// The objects that a request selects, in its order.
    ///
    /// - Throws: `unknownEntity` for a type the store was not opened with, `invalidPredicate`, `unknownProperty`.
    public func fetch<Root: Entity>(_ request: FetchRequest<Root>) throws -> [Root] {
        let codec = try engine.schemas.codec(Root.self)
        return try engine.read { try $0.fetch(request, codec) }
    }

    /// Some properties of the objects that a request selects: `[(String, Int)]` for `select(\.title, \.views)`.
    ///
    /// - Throws: as ``fetch(_:)-(FetchRequest<Root>)``.
    public func fetch<Root: Entity, each V: Storable>(_ selection: Selection<Root, repeat each V>) throws -> [(repeat each V)] {
        try engine.read { try $0.fetch(selection) }
    }

    /// How many objects a request selects.
    ///
    /// - Throws: `unknownEntity`, `invalidPredicate`, `unknownProperty`.
    public func count<Root: Entity>(_ request: FetchRequest<Root>) throws -> Int {
        try engine.read { try $0.count(request.description) }
    }

    /// The object with an id, or nil when it was deleted, is hidden, or has not arrived.
    ///
    /// - Throws: `unknownEntity` for a type the store was not opened with.
    public func get<Root: Entity>(_ id: EntityID<Root>) throws -> Root? {
        let codec = try engine.schemas.codec(Root.self)
        return try engine.readQuickly { $0.get(id.object, codec) }
    }

    /// The objects with some ids, all of one moment, nil for those that were deleted, are hidden, or have not arrived.
    ///
    /// Many at once take less than one by one.
    ///
    /// - Throws: `unknownEntity` for a type the store was not opened with.
    public func get<Root: Entity>(_ ids: [EntityID<Root>]) throws -> [Root?] {
        let codec = try engine.schemas.codec(Root.self)
        return try engine.read { try $0.get(ids, codec) }
    }
}

// Reading without Swift types.
extension Store {
    /// The entities that the store knows, ascending by name.
    ///
    /// - Throws: as all reading does, `closed`, `insideWrite`, and `corrupt` or `storage` for a log that cannot be read.
    public func schema() throws -> [EntityDeclaration] {
        try engine.read { reader in reader.state.schema.names.compactMap { reader.state.schema.declaration(of: $0) } }
    }

    /// The object with an id, or nil when it was deleted, is hidden, or has not arrived.
    ///
    /// - Throws: as ``schema()``.
    public func row(_ id: ObjectID) throws -> Row? { try engine.readQuickly { $0.state.row(id) } }

    /// The objects that a relationship of an object leads to, ascending: to one, to many, or kept at the other end.
    ///
    /// Empty when the object is not there, or has no relationship of that wire name.
    ///
    /// - Throws: as ``schema()``.
    public func related(to id: ObjectID, by name: String) throws -> [ObjectID] {
        try engine.read { $0.related(to: id, by: name) }
    }

    /// The objects of an entity that a filter holds for, in order of the keys and then of their ids.
    ///
    /// - Parameter properties: the wire names of what to read, in any order; nil for everything. Only what is named is read, so a row
    ///   has no fields of other names.
    /// - Throws: `unknownEntity`, `invalidPredicate`, `unknownProperty`.
    public func rows(
        of entity: String, where filter: Filter = .always(true), sortedBy sort: [SortKey] = [], limit: Int? = nil,
        offset: Int = 0, properties: [String]? = nil
    ) throws -> [Row] {
        let request = FetchDescription(
            entity: entity, filter: filter, sort: sort, limit: limit, offset: offset, properties: properties)
        return try engine.read { try $0.plainRows(request) }
    }

    /// How many objects of an entity a filter holds for.
    ///
    /// - Throws: `unknownEntity`, `invalidPredicate`, `unknownProperty`.
    public func count(of entity: String, where filter: Filter = .always(true)) throws -> Int {
        try engine.read { try $0.count(FetchDescription(entity: entity, filter: filter)) }
    }

    /// Figures over the objects that a filter holds for, one row of them per distinct combination of `keys`, sorted by them.
    ///
    /// Values are one key when a predicate finds them equal, and so are NaN and NaN. Where they are stored differently, a key is
    /// given as the first of those its objects have: -0.0 before 0.0, strings by their UTF-8; so every replica with the same
    /// objects gives the same keys. `min` and `max` choose in the same way.
    ///
    /// ```swift
    /// let groups = try store.groups(of: "Quake", by: [PropertyPath("region")], [.count, Aggregate(.avg, PropertyPath("magnitude"))])
    /// for (keys, values) in groups { print(keys[0], values[0], values[1]) }
    /// ```
    ///
    /// - Parameter having: which groups are meant: a filter over the properties grouped by and over the figures, each named as it is
    ///   asked for. In a text a figure stands between backquotes: `` `avg:magnitude` > 2.5 ``.
    /// - Throws: `unknownEntity`, `invalidPredicate`, `unknownProperty`.
    public func groups(
        of entity: String, where filter: Filter = .always(true), by keys: [PropertyPath], _ aggregates: [Aggregate],
        having: Filter? = nil
    ) throws -> [(keys: [Value], values: [Value])] {
        try engine.read { try $0.groups(entity, filter, by: keys, aggregates, having: having).map { ($0.keys, $0.values) } }
    }

    /// The bytes of a blob property, from a position on: at most `count`, fewer at the end only.
    ///
    /// - Throws: `blobMissing`, `blobDamaged`, `storage`.
    public func read(_ blob: BlobReference, at offset: UInt64 = 0, count: Int = 1 << 20) throws -> [UInt8] {
        try engine.checkReadable()
        let start = min(offset, blob.length)
        let end = start + min(UInt64(max(0, count)), blob.length - start)
        return try StoreBlobs(store: engine.blobs).read(blob, range: start..<end)
    }
}

extension SchemaSet {
    /// - Throws: `unknownEntity` for a type that the store was not opened with.
    func codec<Root: Entity>(_: Root.Type) throws(StoreError) -> TypedCodec<Root> {
        guard let codec = TypedCodec<Root>(self) else {
            throw StoreError(
                .unknownEntity, "\(Root.self) was not given when the store was opened; add \(Root.self).self to Store.open")
        }
        return codec
    }
}
