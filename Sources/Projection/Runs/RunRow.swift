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

    /// What the object itself has of a property; nil for nothing.
    package func value(_ property: Property) -> Value? {
        rows.columns.first { $0.property == property }?.chunk.value(row)
    }
}
