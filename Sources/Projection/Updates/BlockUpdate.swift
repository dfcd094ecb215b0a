package import EventLog
import Storage

// Invariants
// * `columns` has the properties that change in any row, in the order that was asked for; `changed` ascends and is not empty.
// * The block has no whole records beside its columns, and all its rows are alive.

/// What a mass update comes to in one block of a run.
package struct BlockUpdate {
    struct Column {
        let property: Property
        let new: Value
        /// Which of the block's property chunks holds it, and what it says; nil where the block has nothing of it.
        let held: (place: Int, chunk: ColumnChunk)?
        var changed: [Int] = []
    }

    /// Rows that change in the same properties, as the log has them.
    package struct Rows {
        package let objects: [ObjectID]
        package let lengths: [UInt32]
        package let columns: [UpdatedColumn]
    }

    let stamp: Stamp
    let count: Int
    let stamps: RowStamps?
    private(set) var columns: [Column] = []
    private let heads: RowHeads
    private let ids: [ObjectID]

    /// - Throws: what reading the block throws.
    init?(_ pick: MassUpdate.Pick, _ values: [PropertyValue], _ stamp: Stamp) throws(StorageError) {
        let (run, block) = (pick.block.run, pick.block.block)
        let entry = run.directory.blocks[block]
        let section = run.directory.sections[pick.block.section]
        for value in values {
            var column = Column(property: value.property, new: value.value, held: nil)
            if let place = run.chunk(of: value.property, block, section) {
                let chunk = try run.column(block, place, type: value.property.type, isScan: true)
                let index = entry.chunks.firstIndex { $0.column == place.column } ?? 0
                column = Column(
                    property: value.property, new: value.value, held: (index - entry.firstProperty, chunk),
                    changed: pick.rows.filter { chunk.value($0) != value.value })
            } else {
                column.changed = pick.rows
            }
            if !column.changed.isEmpty { columns.append(column) }
        }
        guard !columns.isEmpty else { return nil }
        self.stamp = stamp
        count = entry.count
        heads = try run.heads(block, isScan: true)
        ids = heads.ids.all
        stamps = try run.stamps(block)
    }

    /// The objects that change.
    package var objects: [ObjectID] { Set(columns.flatMap(\.changed)).sorted().map { ids[$0] } }

    /// What the log is to say.
    package var rows: [Rows] {
        if columns.dropFirst().allSatisfy({ $0.changed == columns[0].changed }) {
            return [told(columns[0].changed, columns)]
        }
        var masks = [UInt64](repeating: 0, count: count)
        for (number, column) in columns.enumerated() {
            for row in column.changed { masks[row] |= 1 << UInt64(number) }
        }
        let alike = Dictionary(grouping: masks.indices.filter { masks[$0] != 0 }) { masks[$0] }
        return alike.sorted { $0.value[0] < $1.value[0] }.map { mask, rows in
            told(rows, columns.indices.filter { mask >> UInt64($0) & 1 != 0 }.map { columns[$0] })
        }
    }

    private func told(_ rows: [Int], _ columns: [Column]) -> Rows {
        let updated = columns.map { column in
            var updated = UpdatedColumn(column.property)
            for row in rows {
                let old = column.held?.chunk.value(row)
                updated.append(column.new, old: old, overwrote: old == nil ? nil : write(of: column, row))
            }
            return updated
        }
        return Rows(objects: rows.map { ids[$0] }, lengths: rows.map { heads.length($0) }, columns: updated)
    }

    /// The write that a row has its value from.
    private func write(of column: Column, _ row: Int) -> Stamp {
        if let place = column.held?.place, let entry = stamps?.entry(column: place, row: row) { return entry.stamp }
        return Stamp(timestamp: heads.created(row), replica: ids[row].replica)
    }
}
