package import EventLog

// Invariants
// * All of one entity, made by one transaction under one stamp; ids ascend with the rows.
// * Every column has an entry for each row, and no property has two columns.

/// Objects that a transaction inserted, as the log has them: by columns, without a record for each.
package final class InsertedRows: Sendable {
    package let entity: WireName
    package let stamp: Stamp
    let replica: ReplicaID
    let sequence: UInt64
    let indexes: [UInt32]
    package let columns: [ChangeGroup.Column]
    /// About how much memory a row takes.
    let bytesPerRow: Int

    package init(_ group: ChangeGroup.Inserts, stamp: Stamp) {
        entity = WireName(group.entity)
        self.stamp = stamp
        replica = group.origin
        sequence = group.sequence
        indexes = group.indexes
        columns = group.columns
        bytesPerRow = 8 + columns.reduce(0) { $0 + $1.values.memory } / max(1, group.indexes.count)
    }

    package var count: Int { indexes.count }

    package func id(_ row: Int) -> ObjectID { ObjectID(replica: replica, sequence: sequence, index: indexes[row]) }

    /// The ids of all rows, and perhaps some in between.
    var range: ClosedRange<ObjectID> { id(0)...id(count - 1) }

    /// Whether a row refers to anything.
    var hasReferences: Bool {
        columns.contains { if case .references = $0.values.values { true } else { false } }
    }

    /// One row as an insert of its own.
    package func insertion(_ row: Int) -> Insertion {
        var values: [PropertyValue] = []
        values.reserveCapacity(columns.count)
        for place in columns.indices {
            values.append(PropertyValue(columns[place].property, columns[place].values.value(at: row)))
        }
        return Insertion(entity: entity, stamp: stamp, values: values)
    }
}

extension DecodedColumn {
    /// About how many bytes it takes.
    fileprivate var memory: Int {
        switch values {
        case .nulls: 0
        case .bools(let values): values.count
        case .ints(let values), .counters(let values): values.count * 8
        case .doubles(let values), .dates(let values): values.count * 8
        case .strings(let values), .data(let values): values.ends.count * 8 + (values.ends.last ?? values.start) - values.start
        case .uuids(let values): values.count * 16
        case .references(let values): values.count * MemoryLayout<ObjectID>.stride
        case .blobs(let values): values.reduce(0) { $0 + 48 + ($1?.inline.map { $0.count + 32 } ?? 0) }
        }
    }
}
