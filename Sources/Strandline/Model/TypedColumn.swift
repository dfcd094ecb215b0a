/// A property of an entity: where its value lies in a row, and where the store keeps it.
///
/// A class, for it is made once and passed around for every object.
final class TypedColumn: Sendable {
    let field: FieldDeclaration
    let access: FieldAccess
    let keyPath: any AnyKeyPath & Sendable
    private let entity: String

    init(entity: String, _ field: FieldDeclaration, _ access: FieldAccess, keyPath: any AnyKeyPath & Sendable) {
        self.entity = entity
        self.field = field
        self.access = access
        self.keyPath = keyPath
    }

    var property: Property { field.property }
    private var relationship: Relationship? { field.relationship }

    /// Whether the object has a register of its own for it.
    ///
    /// Otherwise it is kept in edges or at the other end.
    var isRegister: Bool { relationship.map { $0.storage == .register } ?? true }

    /// Adds what a new object sets.
    func insert(
        _ row: borrowing RawRows, as object: ObjectID, _ blobs: any BlobIngest, into changes: inout ObjectChanges
    ) throws {
        switch access {
        case .column(let column):
            let value = try column.encodeValue(row, 0)
            if isRegister {
                changes.values.append(PropertyValue(property, value))
            } else if case .reference(let target) = value {
                link(object, target, true, &changes)
            }
        case .blob(let blob, _):
            changes.values.append(PropertyValue(property, try Self.value(blob.get(row, 0), blobs)))
        case .toMany(let targets):
            for target in targets.get(row, 0) { link(object, target, true, &changes) }
        }
    }

    /// Adds what differs between two states of an object.
    func compare(
        _ old: borrowing RawRows, _ new: borrowing RawRows, as object: ObjectID, _ blobs: any BlobIngest,
        into changes: inout ObjectChanges
    ) throws {
        switch access {
        case .column(let column):
            var isDifferent = false
            column.differ(old, new) { _ in isDifferent = true }
            if isDifferent {
                record(try column.encodeValue(old, 0), try column.encodeValue(new, 0), object, &changes)
            }
        case .blob(let blob, _):
            let content = blob.get(new, 0)
            if content != blob.get(old, 0) { changes.values.append(PropertyValue(property, try Self.value(content, blobs))) }
        case .toMany(let targets):
            let before = targets.get(old, 0)
            let after = targets.get(new, 0)
            if before == after { return }
            for target in Self.ascending(before, without: after) { link(object, target, false, &changes) }
            for target in Self.ascending(after, without: before) { link(object, target, true, &changes) }
        }
    }

    /// Assigns what is stored.
    func decode(
        into row: borrowing RawRows, _ source: (any BlobSource)?, _ value: (Property) -> Value?,
        _ targets: (FieldDeclaration) -> [ObjectID]
    ) {
        // Many objects are kept in edges or at the other end, and so may be one.
        if !isRegister { return decode(targets(field), into: row, 0) }
        switch access {
        case .column(let column):
            if let value = value(property) { column.decodeValue(value, row, 0) }
        case .blob(let blob, _):
            switch value(property) {
            case .blob(let reference): blob.set(row, 0, Blob(stored: reference, source: source))
            case .null: blob.set(row, 0, nil)
            default: break
            }
        case .toMany(let many):
            many.set(row, 0, targets(field))
        }
    }

    /// Assigns stretches of a block to the rows that they go to, of a property that objects have a register for.
    func decode(_ block: ColumnBlock, _ stretches: [RowStretch], into rows: borrowing RawRows, _ source: (any BlobSource)?) {
        switch access {
        case .column(let column): column.decode(block, rows, stretches)
        case .blob(let blob, _):
            for stretch in stretches {
                for offset in 0..<stretch.count {
                    let place = Int(stretch.place + offset)
                    switch block.value(Int(stretch.row + offset)) {
                    case .blob(let reference): blob.set(rows, place, Blob(stored: reference, source: source))
                    case .null: blob.set(rows, place, nil)
                    default: break
                    }
                }
            }
        case .toMany: preconditionFailure("\(property) is in no register")
        }
    }

    /// Assigns the objects at the other end of a relationship that is kept there, or in edges.
    func decode(_ targets: [ObjectID], into rows: borrowing RawRows, _ row: Int) {
        switch access {
        case .column(let column): if let target = targets.first { column.decodeValue(.reference(target), rows, row) }
        case .toMany(let many): many.set(rows, row, targets)
        case .blob: preconditionFailure("\(property) is no relationship")
        }
    }

    private func record(_ old: Value, _ new: Value, _ object: ObjectID, _ changes: inout ObjectChanges) {
        if case .counter(let before) = old, case .counter(let after) = new {
            changes.increments.append(ObjectChanges.Increment(property: property, by: after &- before))
        } else if isRegister {
            changes.values.append(PropertyValue(property, new))
        } else {
            if case .reference(let target) = old { link(object, target, false, &changes) }
            if case .reference(let target) = new { link(object, target, true, &changes) }
        }
    }

    /// Says of the keeping object that `object` and `target` are related, or are no longer.
    private func link(_ object: ObjectID, _ target: ObjectID, _ isPresent: Bool, _ changes: inout ObjectChanges) {
        guard let relationship else { preconditionFailure("\(property) is no relationship") }
        if relationship.storage == .edges {
            changes.links.append(
                .edge(owner: object, entity: entity, property: property, target: target, isPresent: isPresent))
            return
        }
        guard let name = relationship.inverse else { preconditionFailure("\(property) is derived from nothing") }
        if relationship.storage == .inverseEdges {
            changes.links.append(
                .edge(
                    owner: target, entity: relationship.target, property: Property(name, .edges), target: object,
                    isPresent: isPresent))
        } else {
            let reference = Property(name, .reference)
            changes.links.append(
                isPresent
                    ? .link(holder: target, entity: relationship.target, property: reference, target: object)
                    : .unlink(holder: target, entity: relationship.target, property: reference, target: object))
        }
    }

    private static func value(_ blob: Blob?, _ blobs: any BlobIngest) throws -> Value {
        guard let blob else { return .null }
        if case .stored(let reference) = blob.content { return .blob(reference) }
        return .blob(try blobs.ingest(blob.content))
    }

    /// The elements of `a` that are not in `b`; both ascending.
    private static func ascending(_ a: [ObjectID], without b: [ObjectID]) -> [ObjectID] {
        var rest = b[...]
        return a.filter { id in
            rest = rest.drop { $0 < id }
            return rest.first != id
        }
    }
}
