// Invariants
// * Belongs to the thread that runs its closure, and ends with it: whoever keeps it gets `closed`.
// * Every change goes into the state as soon as it is made, under the transaction's stamp, and into the builder in that order; but
//   `gathered` inserts go into both together, before anything else looks at either.
// * A step that fails before its first change leaves the transaction as it was; once one has failed later, `failure` says so, and
//   the transaction is never committed.

package import EventLog
import Projection
import Storage

/// What a write's closure reads and changes the store through.
///
/// ```swift
/// try await store.write(author: "import") { tx in
///     let post = try tx.insert(Post(title: "Hello"))
///     try tx.update(post.id) { $0.views += 1 }
/// }
/// ```
///
/// It sees its own changes at once; nobody else sees any before the closure has returned. If the closure throws, none remain.
///
/// A call that throws has changed nothing, and the closure may go on without it. Where that cannot be, because some of a call's
/// changes were made before one was refused, the write throws the same error when the closure returns, and none of it remains.
public final class WriteTransaction {
    let reader: StateReader
    /// What it works on, which outlives it.
    unowned let live: LiveState
    private var box: StateBox { live.box }
    private let open: OpenTransaction
    private let builder: TransactionBuilder
    private let blobs: BlobStore
    /// Gone once its blobs are durable.
    private var batch: BlobBatch?
    let stamp: Stamp
    /// Inserts of the shape that was inserted last.
    private var gathered: OpenInserts?
    /// How objects of a type become rows of them; nil until somebody asks, or where they come as values.
    private var gatheredRows: GatheredRows?
    private var isOfValues = false
    private var lastInserted: WireName?
    private let schemas: SchemaSet
    private var isEnded = false
    /// How many objects were inserted: the index of the next one's id.
    private(set) var inserted: UInt32 = 0
    private(set) var changes = 0
    /// Why the transaction cannot be committed.
    private(set) var failure: (any Error)?

    init(_ open: OpenTransaction, on live: LiveState, blobs: BlobStore, schemas: SchemaSet) throws {
        self.open = open
        self.live = live
        self.blobs = blobs
        batch = BlobBatch(blobs)
        self.schemas = schemas
        reader = StateReader(box: live.box)
        stamp = open.header.stamp
        builder = try TransactionBuilder(
            origin: open.header.origin, sequence: open.header.sequence, timestamp: open.header.timestamp,
            author: open.header.author, context: open.header.context, sink: { try open.add(part: $0) })
    }

    /// The id that the next insert gives.
    var nextID: ObjectID {
        ObjectID(replica: open.header.origin, sequence: open.header.sequence, index: inserted)
    }

    func codec<Root: Entity>(_: Root.Type) throws(StoreError) -> TypedCodec<Root> {
        try schemas.codec(Root.self)
    }

    /// How objects of a type are gathered, if those that are gathered are of its shape.
    func rows<Root: Entity>(of _: Root.Type) -> GatheredRows? {
        guard let gathered, !isOfValues else { return nil }
        if let rows = gatheredRows { return rows.root == ObjectIdentifier(Root.self) ? rows : nil }
        gatheredRows = TypedCodec<Root>(schemas).flatMap { GatheredRows($0, gathered) }
        isOfValues = gatheredRows == nil
        return gatheredRows
    }

    func check() throws(StoreError) {
        if isEnded { throw StoreError(.closed, "the transaction has ended; use it inside the closure of write only") }
    }

    /// Makes changes that were planned on the state as it is, and empties the one-to-one references that they displace.
    func make(_ changes: [Change]) throws {
        defer { live.spill() }
        try whole {
            let displaced = reader.state.displaced(by: changes)
            for change in changes { try add(change) }
            guard !displaced.isEmpty else { return }
            for change in try reader.state.planRelease(displaced) { try add(change) }
        }
    }

    /// Adds a new object, if that can change nothing for any other one.
    ///
    /// - Returns: whether it did; if not, nothing is gathered any more.
    func addUnrivalled(_ id: ObjectID, _ entity: String, _ values: [PropertyValue]) throws -> Bool {
        let name = WireName(entity)
        let isLike = gathered?.isLike(name, values) == true
        if isLike, try gather({ for place in values.indices { $0[place].append(values[place].value) } }) { return true }
        try settle()
        let insertion = Insertion(entity: name, stamp: stamp, values: values)
        guard let terms = box.state.termsOfUnrivalled(insertion) else { return false }
        defer { live.spill() }
        try whole { try encode(.insert(object: id, entity: entity, values: values)) }
        box.state.insertUnrivalled(id, insertion, terms)
        changes += 1
        if !isLike { gatherNext(name, values) }
        return true
    }

    /// After two inserts of one entity more are likely to follow, of a shape that by now is known to be allowed.
    private func gatherNext(_ entity: WireName, _ values: [PropertyValue]) {
        gathered = lastInserted == entity ? OpenInserts(entity, like: values, box.state.schema) : nil
        gatheredRows = nil
        isOfValues = false
        lastInserted = entity
    }

    /// Adds a new object to those that are gathered, whose shape it has.
    ///
    /// - Returns: false, with nothing added, if that might concern another one.
    func gather(_ fill: (inout [ColumnBuffer]) -> Void) throws -> Bool {
        guard let gathered, gathered.append(nextID, isKnown: { box.isTermKnown($0) }, fill) else { return false }
        inserted += 1
        changes += 1
        if gathered.isFull { try settle() }
        return true
    }

    /// Puts what was gathered into the state and the log.
    func settle() throws {
        guard let gathered, !gathered.isEmpty else { return }
        defer { live.spill() }
        do { try gathered.settle(to: &box.state, builder, stamp: stamp) } catch {
            let error = StoreError.halfway(error)
            failure = failure ?? error
            throw error
        }
    }

    /// Sets registers of an object, if that concerns nothing else.
    ///
    /// - Returns: whether it was such a case.
    func setPlainly(_ id: ObjectID, _ values: [PropertyValue]) throws -> Bool {
        guard let plan = box.state.planPlainUpdate(id, values, stamp: stamp) else { return false }
        guard !plan.assignments.isEmpty else { return true }
        defer { live.spill() }
        try whole {
            try encode(
                .update(object: id, entity: plan.entity.text, length: plan.length, assignments: plan.assignments))
        }
        box.state.update(id, by: plan)
        changes += 1
        return true
    }

    private func add(_ change: Change) throws {
        try encode(change)
        box.state.apply(change, stamp: stamp)
        changes += 1
    }

    /// Runs a step that makes its changes one after the other: if it fails after the first, all of the transaction does.
    func whole<Result>(_ step: () throws -> Result) throws -> Result {
        let before = changes
        do { return try step() } catch {
            // What is refused is not in the builder; any other failure may have left it with half a change.
            if changes > before || !(error is ChangeRefused || error is StoreError || error is ProjectionError) {
                failure = failure ?? StoreError.halfway(error)
            }
            throw error
        }
    }

    /// Hands over what remains; the transaction takes nothing more.
    func finish() throws {
        isEnded = true
        if let failure { throw failure }
        try settle()
        if let former = open.former, changes > 0 { try builder.rename(former: former) }
        _ = try builder.finish()
        if let batch = batch.take() { try batch.finish() }
    }

    func end() { isEnded = true }

    /// Records what a mass update comes to in some rows.
    func encode(_ rows: BlockUpdate.Rows, of entity: WireName) throws {
        try builder.updateRows(entity.text, rows.objects, lengths: rows.lengths, rows.columns)
        changes += rows.objects.count
    }

    private func encode(_ change: Change) throws {
        switch change {
        case .insert(_, _, let values), .restore(_, _, _, let values): try check(values)
        case .update(_, _, _, let assignments): try check(assignments.map { PropertyValue($0.property, $0.new) })
        default: break
        }
        if try builder.add(change) != nil { inserted += 1 }
    }

    /// A placeholder is an object that was never inserted: a reference to it would lead nowhere for ever.
    private func check(_ values: [PropertyValue]) throws(StoreError) {
        for value in values {
            guard case .reference(let target) = value.value, target.isPlaceholder else { continue }
            throw StoreError(
                .notHereYet,
                "\(value.property.name) refers to an object that was not inserted; insert it first, and use its id",
                objects: [target])
        }
    }
}

extension WriteTransaction: BlobIngest {
    /// Stores new content of a blob; it is durable before the transaction is.
    package func ingest(_ content: Blob.Content) throws -> BlobReference {
        let reference: BlobReference?
        switch content {
        case .stored(let stored):
            guard try stored.inline != nil || blobs.contains(stored.id) else { throw blobs.missing(stored.id) }
            reference = stored
        case .bytes(let bytes):
            reference = try batch?.write(bytes)
        case .file(let path):
            let file = try LogError.wrap { () throws(StorageError) in try blobs.fileSystem.open(path, .read) }
            defer { file.close() }
            var offset: UInt64 = 0
            reference = try batch?.write { buffer in
                let count = try file.read(into: &buffer, at: offset)
                offset += UInt64(count)
                return count
            }
        case .produced(let content):
            reference = try batch?.write(from: try content.open())
        }
        guard let reference else { throw StoreError(.closed, "the transaction has ended") }
        return reference
    }
}
