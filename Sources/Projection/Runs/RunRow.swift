package import EventLog

/// One row of a run, read without building its record.
package struct RunRow: Sendable {
    private let rows: BlockRows
    private let row: Int

    init(_ rows: BlockRows, _ row: Int) {
        self.rows = rows
        self.row = row
    }

    package var id: ObjectID { rows.heads.ids[row] }
    /// Nil for an object that is not alive.
    package var entity: WireName? { rows.entity }
    package var created: Timestamp { rows.heads.created(row) }
    package var length: UInt32 { rows.heads.length(row) }

    /// What the object itself has of the property with this place in ``Run/properties(of:)``; nil for nothing.
    package func value(_ number: Int) -> Value? { rows.column(number)?.value(row) }

    /// What the object itself has of a property, a counter with its increments; nil for nothing.
    package func value(_ property: Property) -> Value? {
        for place in rows.columns.indices where rows.columns[place].property == property {
            return rows.columns[place].chunk.value(row)
        }
        return nil
    }

    /// What the object itself has of every property, ascending; properties that were never set are left out.
    package var values: [PropertyValue] {
        rows.columns.compactMap { column in column.chunk.value(row).map { PropertyValue(column.property, $0) } }
    }
}
