import EventLog
import Projection

// Some properties of what was found, read from their columns alone.
extension FoundObjects {
    /// Tuples of the properties that a selection names.
    ///
    /// - Throws: what reading a block throws.
    func tuples<Root: Entity, each V: Storable>(_ selection: Selection<Root, repeat each V>) throws -> [(repeat each V)] {
        var tuples = Array(repeating: selection.tuple { _ in nil }, count: ids.count)
        for pick in BlockPick.all(of: findings.positions, among: source.blocks) {
            try selection.read(pick.stretches, into: &tuples) { try pick.block.column($0) }
        }
        for (place, position) in findings.positions.enumerated() where position.block == nil {
            tuples[place] = selection.tuple { source.rows[position.row].stored($0) }
        }
        return tuples
    }

    /// Rows without Swift types.
    ///
    /// - Parameter names: the properties that they have; nil for all.
    /// - Throws: what reading a block throws.
    func plainRows(of entity: String, _ names: [String]?) throws -> [Row] {
        let names = names.map { Set($0.map { WireName($0) }) }
        func isNamed(_ property: Property) -> Bool { names?.contains(WireName(property.name)) ?? true }
        var rows = [Row?](repeating: nil, count: ids.count)
        for pick in BlockPick.all(of: findings.positions, among: source.blocks) {
            let columns = try pick.block.properties.filter(isNamed).compactMap { property in
                try pick.block.column(property).map { (property: property, values: $0) }
            }
            for stretch in pick.stretches {
                for offset in 0..<Int(stretch.count) {
                    let (place, row) = (Int(stretch.place) + offset, Int(stretch.row) + offset)
                    let fields = columns.compactMap { column in
                        column.values.value(row).map { Row.Field(PropertyValue(column.property, $0)) }
                    }
                    rows[place] = Row(id: ids[place], entity: entity, fields: fields)
                }
            }
        }
        for (place, position) in findings.positions.enumerated() where position.block == nil {
            guard let row = reader.state.row(ids[place]) else { continue }
            let fields = names == nil ? row.fields : row.fields.filter { isNamed($0.property) }
            rows[place] = Row(id: row.id, entity: row.entity, fields: fields)
        }
        return rows.compactMap(\.self)
    }
}
