/// One change of a transaction.
///
/// Changes of one object take effect in the order they have in the transaction.
public enum Change: Hashable, Sendable {
    /// A new object, alive with causal length 1. Its id is the creation dot.
    case insert(object: ObjectID, entity: String, values: [PropertyValue])
    /// New values for some properties of an object that the writer saw alive under `length`.
    case update(object: ObjectID, entity: String, length: UInt32, assignments: [Assignment])
    /// The end of an object, with the row the writer saw; `length` is the new, even one.
    case delete(object: ObjectID, entity: String, length: UInt32, seen: [PropertyValue])
    /// A deleted object alive again with a complete row; `length` is the new, odd one.
    case restore(object: ObjectID, entity: String, length: UInt32, values: [PropertyValue])
    /// An edge of a many-to-many relationship, added (odd `length`) or removed (even). `owner` is the side that the schema
    /// makes the owner, seen alive under `ownerLength`.
    case edge(owner: ObjectID, entity: String, property: Property, target: ObjectID, ownerLength: UInt32, length: UInt32)
    /// An addition to a counter that the writer saw at `seen`.
    case increment(object: ObjectID, entity: String, length: UInt32, property: Property, by: Int64, seen: Int64)
    /// A declaration of an entity; see ``EntityDeclaration``.
    case schema(EntityDeclaration)
    /// The store that writes this was known as `former` before.
    case rename(former: ReplicaID)
    /// The transaction that this is in takes back another one, as far as that held.
    case undo(origin: ReplicaID, sequence: UInt64)
    /// A kind this version does not know; kept and passed on with its transaction.
    case unknown(kind: UInt8)

    /// The object changed; nil for schema, rename, undo and unknown records.
    ///
    /// For an edge, its owner.
    public var object: ObjectID? {
        switch self {
        case .insert(let object, _, _), .update(let object, _, _, _), .delete(let object, _, _, _),
            .restore(let object, _, _, _), .edge(let object, _, _, _, _, _), .increment(let object, _, _, _, _, _):
            object
        case .schema, .rename, .undo, .unknown: nil
        }
    }

    /// The entity's wire name.
    public var entity: String? {
        switch self {
        case .insert(_, let entity, _), .update(_, let entity, _, _), .delete(_, let entity, _, _),
            .restore(_, let entity, _, _), .edge(_, let entity, _, _, _, _), .increment(_, let entity, _, _, _, _):
            entity
        case .schema(let declaration): declaration.name
        case .rename, .undo, .unknown: nil
        }
    }
}
