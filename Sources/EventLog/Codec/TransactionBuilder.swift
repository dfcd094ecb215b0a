package import Storage

// Invariants
// * No object has changes in two open groups: before a change would be the second, all open groups are closed. Together with the
//   order within a group this keeps the order of an object's changes, whatever order the groups are closed in.
// * At most `maximumOpenGroups` groups are open; the one least recently used is closed for another. So memory is bounded by
//   them and one part.
// * `nextIndex` is the index of the next insert; indexes ascend within each group.
// * Not thread-safe: one builder belongs to one write.

/// Turns the changes of one transaction into the bytes of its parts, handing over each part as soon as it is full.
package final class TransactionBuilder {
    /// What a finished transaction came to.
    package struct Summary: Sendable, Hashable {
        package let changes: Int
        package let inserts: Int
        /// Bytes of all parts.
        package let byteCount: Int
        /// The digest of each part; see ``Chain/step(_:digests:)``.
        package let digests: [Digest128]

        package var parts: Int { digests.count }
    }

    static let maximumOpenGroups = 8

    package let origin: ReplicaID
    package let sequence: UInt64
    /// Of all that the transaction writes.
    let stamp: Stamp
    private let isVoid: Bool
    private var assembler: PartAssembler
    /// The most recently used one last.
    private var open: [OpenGroup] = []
    private var changes = 0
    private var nextIndex: UInt64 = 0

    /// Begins a transaction.
    ///
    /// The context is what changed in the writer's applied vector, ascending by origin and without its own. A void transaction marks
    /// a sequence that was spent without effect; it takes no changes. The sink takes the parts in order; it may throw, after which
    /// the builder must not be used.
    ///
    /// - Throws: ``ChangeRefused`` for an author or a context that is too long, or a context that does not ascend.
    package init(
        origin: ReplicaID, sequence: UInt64, timestamp: Timestamp, author: String = "", context: [ContextEntry] = [],
        isVoid: Bool = false, sink: @escaping ([UInt8]) throws -> Void
    ) throws(ChangeRefused) {
        precondition(sequence > 0, "sequences count from 1")
        self.origin = origin
        self.sequence = sequence
        stamp = Stamp(timestamp: timestamp, replica: origin)
        self.isVoid = isVoid
        let header = try TransactionHeader.bytes(
            origin: origin, timestamp: timestamp, author: author, context: context, isVoid: isVoid)
        assembler = PartAssembler(origin: origin, header: header, sink: sink)
    }

    /// How many changes were made so far.
    package var count: Int { changes }

    /// A new object with all its properties, null ones included.
    ///
    /// Returns its id.
    @discardableResult
    package func insert(_ entity: String, _ values: [PropertyValue]) throws -> ObjectID {
        let weight = try weigh(values, entity)
        let index = try reserveIndexes(1, entity)
        let group = try self.group(.insert, entity, values.span, touching: nil)
        group.indexes.append(index)
        for position in values.indices { group.columns[position].append(values[position].value) }
        try note(group, rows: 1, weight: weight)
        return ObjectID(replica: origin, sequence: sequence, index: index)
    }

    /// New objects of one shape, for bulk loads.
    ///
    /// `fill` appends `count` rows to each of the columns, which come in the order of `properties` and may hold earlier rows. Some
    /// thousand rows at a time are enough. The ids are those of `first ..< first + count`.
    ///
    /// - Throws: ``ChangeRefused`` when a row is too large; the whole transaction must be given up then.
    /// - Returns: `first`.
    package func insertRows(
        _ entity: String, _ properties: [Property], count: Int, fill: (inout [ColumnBuffer]) -> Void
    ) throws -> UInt32 {
        precondition(count > 0, "a bulk insert has rows")
        let first = try reserveIndexes(count, entity)
        let group = try self.group(.insert, entity, properties.span, touching: nil)
        let before = group.columns.reduce(0) { $0 + $1.byteCount }
        fill(&group.columns)
        for column in group.columns {
            precondition(column.rows == group.rows + count, "\(entity).\(column.property.name) was not given \(count) rows")
        }
        for offset in 0..<UInt32(count) { group.indexes.append(first + offset) }
        let bytes = group.columns.reduce(0) { $0 + $1.byteCount } - before
        try note(group, rows: count, weight: bytes + 9 * properties.count * count)
        return first
    }

    /// New values for some properties of an object.
    ///
    /// Several changes where one would be too large; see ``steps(_:_:)``.
    package func update(_ object: ObjectID, entity: String, length: UInt32, _ assignments: [Assignment]) throws {
        try check(length, isOdd: true, entity)
        let weight = try weigh(assignments, entity)
        guard weight + (TransactionFormat.maximumName + 192) * assignments.count > Self.maximumChange else {
            return try addUpdate(object, entity, length, assignments, weight: weight)
        }
        for step in try steps(assignments, entity) {
            try addUpdate(object, entity, length, step, weight: try weigh(step, entity))
        }
    }

    private func addUpdate(
        _ object: ObjectID, _ entity: String, _ length: UInt32, _ assignments: [Assignment], weight: Int
    ) throws {
        let group = try self.group(.update, entity, assignments.span, touching: object)
        group.objects.append(object)
        group.lengths.append(length)
        for position in assignments.indices {
            let assignment = assignments[position]
            group.columns[position].append(assignment.new)
            group.old[position].append(assignment.old ?? .null)
            group.overwrote[position].append(assignment.overwrote)
        }
        try note(group, rows: 1, weight: weight)
    }

    /// Updates of many objects of one entity that set the same properties, as a group of its own.
    ///
    /// Some thousand rows at a time are enough.
    ///
    /// - Parameters:
    ///   - objects: each once.
    ///   - lengths: the causal length of each.
    ///   - columns: at most ``UpdatedColumn/most``, all of values that are small; see ``Value/isSmall``.
    package func updateRows(_ entity: String, _ objects: [ObjectID], lengths: [UInt32], _ columns: [UpdatedColumn]) throws {
        precondition(!isVoid, "a void transaction has no changes")
        precondition(
            !objects.isEmpty && lengths.count == objects.count && columns.allSatisfy { $0.overwrote.rows == objects.count },
            "a mass update of \(entity) has a row for each object")
        for length in lengths { try check(length, isOdd: true, entity) }
        let properties = columns.map(\.property)
        try OpenGroup.check(.update, entity, properties)
        // An object may have changes in them.
        try closeAll()
        let group = OpenGroup(.update, entity, properties)
        for object in objects { group.objects.append(object) }
        group.lengths = lengths
        group.columns = columns.map(\.new)
        group.old = columns.map(\.old)
        group.overwrote = columns.map(\.overwrote)
        group.rows = objects.count
        group.weight = group.columns.reduce(0) { $0 + $1.byteCount } + group.old.reduce(0) { $0 + $1.byteCount }
        group.weight += 18 * objects.count * columns.count
        changes += objects.count
        try assembler.add(group)
    }

    /// The end of an object; `length` is the new, even one.
    package func delete(_ object: ObjectID, entity: String, length: UInt32, seen: [PropertyValue]) throws {
        try check(length, isOdd: false, entity)
        try addRow(.delete, object, entity, length, seen)
    }

    /// A deleted object alive again; `length` is the new, odd one.
    package func restore(_ object: ObjectID, entity: String, length: UInt32, values: [PropertyValue]) throws {
        try check(length, isOdd: true, entity)
        try addRow(.restore, object, entity, length, values)
    }

    /// An edge added (odd `length`) or removed (even).
    package func edge(
        owner: ObjectID, entity: String, property: Property, target: ObjectID, ownerLength: UInt32, length: UInt32
    ) throws {
        guard property.type == .edges else { throw ChangeRefused(.wrongType, entity, property: property) }
        guard length > 0 else { throw ChangeRefused(.invalidLength(length), entity, property: property) }
        try check(ownerLength, isOdd: true, entity)
        let group = try self.group(.edge, entity, [property].span, touching: owner)
        group.objects.append(owner)
        group.targets.append(target)
        group.ownerLengths.append(ownerLength)
        group.lengths.append(length)
        try note(group, rows: 1, weight: 24)
    }

    /// An addition to a counter that the writer saw at `seen`.
    package func increment(
        _ object: ObjectID, entity: String, length: UInt32, property: Property, by addition: Int64, seen: Int64
    ) throws {
        guard property.type == .counter else { throw ChangeRefused(.wrongType, entity, property: property) }
        try check(length, isOdd: true, entity)
        let group = try self.group(.increment, entity, [property].span, touching: object)
        group.objects.append(object)
        group.lengths.append(length)
        group.additions.append(addition)
        group.seen.append(seen)
        try note(group, rows: 1, weight: 28)
    }

    package func schema(_ declaration: EntityDeclaration) throws {
        var writer = ByteWriter()
        try writer.declaration(declaration)
        try addRecord(.schema, writer.bytes, declaration.name)
    }

    /// The store that writes this was known as `former` before.
    package func rename(former: ReplicaID) throws {
        var writer = ByteWriter()
        writer.digest(former.bits)
        try addRecord(.rename, writer.bytes, "rename")
    }

    /// This transaction takes back another one, as far as that held.
    package func undo(origin: ReplicaID, sequence: UInt64) throws {
        var writer = ByteWriter()
        writer.digest(origin.bits)
        writer.varint(sequence)
        try addRecord(.undo, writer.bytes, "undo")
    }

    /// Hands over the rest.
    ///
    /// The builder must not be used afterwards.
    package func finish() throws -> Summary {
        try closeAll()
        try assembler.finish()
        return Summary(
            changes: changes, inserts: Int(nextIndex), byteCount: assembler.byteCount, digests: assembler.digests)
    }

    private func addRow(
        _ kind: TransactionFormat.Kind, _ object: ObjectID, _ entity: String, _ length: UInt32, _ values: [PropertyValue]
    ) throws {
        let weight = try weigh(values, entity)
        let group = try self.group(kind, entity, values.span, touching: object)
        group.objects.append(object)
        group.lengths.append(length)
        for position in values.indices { group.columns[position].append(values[position].value) }
        try note(group, rows: 1, weight: weight)
    }

    private func addRecord(_ kind: TransactionFormat.Kind, _ body: [UInt8], _ subject: String) throws {
        precondition(!isVoid, "a void transaction has no changes")
        try closeAll()
        try assembler.add(kind, body: body, subject: subject)
        changes += 1
    }

    private func reserveIndexes(_ count: Int, _ entity: String) throws(ChangeRefused) -> UInt32 {
        guard nextIndex + UInt64(count) <= UInt64(UInt32.max) else { throw ChangeRefused(.tooManyInserts, entity) }
        let first = UInt32(nextIndex)
        nextIndex += UInt64(count)
        return first
    }

    private func check(_ length: UInt32, isOdd: Bool, _ entity: String) throws(ChangeRefused) {
        guard length > 0, (length & 1 == 1) == isOdd else { throw ChangeRefused(.invalidLength(length), entity) }
    }
}

// Groups: which one takes a change, and when they are closed.
extension TransactionBuilder {
    private func group<Entry: PropertyBearing>(
        _ kind: TransactionFormat.Kind, _ entity: String, _ entries: Span<Entry>, touching object: ObjectID?
    ) throws -> OpenGroup {
        precondition(!isVoid, "a void transaction has no changes")
        var found = open.count - 1
        while found >= 0, !open[found].isOf(kind, entity, entries) { found -= 1 }
        if let object, isTouched(object, outside: found) {
            try closeAll()
            found = -1
        }
        if found >= 0 {
            let group = open[found]
            if found != open.count - 1 {
                open.remove(at: found)
                open.append(group)
            }
            return group
        }
        let properties = entries.indices.map { entries[$0].property }
        try OpenGroup.check(kind, entity, properties)
        if open.count == TransactionBuilder.maximumOpenGroups { try assembler.add(open.removeFirst()) }
        let group = OpenGroup(kind, entity, properties)
        open.append(group)
        return group
    }

    private func isTouched(_ object: ObjectID, outside own: Int) -> Bool {
        let isOwn = object.sequence == sequence && object.replica == origin
        for index in open.indices where index != own {
            if open[index].touches(object, ownIndex: isOwn ? object.index : nil) { return true }
        }
        return false
    }

    private func note(_ group: OpenGroup, rows: Int, weight: Int) throws {
        group.rows += rows
        group.weight += weight
        changes += rows
        guard group.isFull else { return }
        open.removeAll { $0 === group }
        try assembler.add(group)
    }

    private func closeAll() throws {
        for group in open { try assembler.add(group) }
        open.removeAll(keepingCapacity: true)
    }
}
