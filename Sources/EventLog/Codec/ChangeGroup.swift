// Invariants
// * All lists and columns of a group have the same length, its number of changes.
// * Lengths have the parity that their kind asks for; indexes ascend; no property occurs twice.

/// Changes of one kind and shape, decoded into typed columns.
///
/// What fast consumers read instead of single ``Change``s.
package enum ChangeGroup: Sendable {
    case insert(Inserts)
    case update(Updates)
    case delete(Rows)
    case restore(Rows)
    case edge(Edges)
    case increment(Increments)
    case schema(EntityDeclaration)
    case rename(former: ReplicaID)
    case undo(origin: ReplicaID, sequence: UInt64)
    case unknown(kind: UInt8)

    package struct Inserts: Sendable {
        package let entity: String
        package let origin: ReplicaID
        package let sequence: UInt64
        /// The ids' indexes, ascending.
        package let indexes: [UInt32]
        package let columns: [Column]

        package init(entity: String, origin: ReplicaID, sequence: UInt64, indexes: [UInt32], columns: [Column]) {
            self.entity = entity
            self.origin = origin
            self.sequence = sequence
            self.indexes = indexes
            self.columns = columns
        }

        package func object(_ row: Int) -> ObjectID { ObjectID(replica: origin, sequence: sequence, index: indexes[row]) }
    }

    package struct Column: Sendable {
        package let property: Property
        package let values: DecodedColumn

        package init(property: Property, values: DecodedColumn) {
            self.property = property
            self.values = values
        }
    }

    package struct Updates: Sendable {
        package let entity: String
        package let objects: [ObjectID]
        package let lengths: [UInt32]
        package let columns: [UpdateColumn]
    }

    package struct UpdateColumn: Sendable {
        package let property: Property
        package let new: DecodedColumn
        package let old: DecodedColumn
        /// Which rows had a value before, if null; the others were absent.
        package let hadValue: Presence
        /// The overwritten stamps; meaningless where there was no value.
        package let overwrote: [Stamp]
    }

    /// Deletes or restores.
    package struct Rows: Sendable {
        package let entity: String
        package let objects: [ObjectID]
        package let lengths: [UInt32]
        package let columns: [SparseColumn]
    }

    package struct SparseColumn: Sendable {
        package let property: Property
        package let values: DecodedColumn
        /// Which rows have the column at all.
        package let presence: Presence
    }

    package struct Edges: Sendable {
        package let entity: String
        package let property: Property
        package let owners: [ObjectID]
        package let targets: [ObjectID]
        package let ownerLengths: [UInt32]
        package let lengths: [UInt32]
    }

    package struct Increments: Sendable {
        package let entity: String
        package let property: Property
        package let objects: [ObjectID]
        package let lengths: [UInt32]
        package let additions: [Int64]
        package let seen: [Int64]
    }

    /// How many changes it has.
    package var count: Int {
        switch self {
        case .insert(let group): group.indexes.count
        case .update(let group): group.objects.count
        case .delete(let group), .restore(let group): group.objects.count
        case .edge(let group): group.owners.count
        case .increment(let group): group.objects.count
        case .schema, .rename, .undo, .unknown: 1
        }
    }
}
