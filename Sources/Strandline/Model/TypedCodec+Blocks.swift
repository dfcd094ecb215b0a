package import Projection

// Many rows at once, column by column. Blobs and to-many relationships are not columns of their own: they go row by row.
extension TypedCodec {
    /// Rows at their defaults, with the given ids, to decode blocks into.
    package func rows(_ objects: [ObjectID]) -> [Root] {
        // One prototype: an id is drawn for each that is made.
        let prototype = Root()
        return newRows(objects.count) { place in
            var row = prototype
            row.id = EntityID(objects[place])
            return row
        }
    }

    /// Assigns a block of a property to the rows from `first` on; false when the property is not a column of `Root`.
    @discardableResult
    package func decode(_ block: ColumnBlock, of property: Property, into rows: inout [Root], first: Int) -> Bool {
        guard let column = columns.first(where: { $0.property == property }), case .column(let access) = column.access else {
            return false
        }
        let stretch = RowStretch(row: 0, place: first, count: block.count)
        withRawRows(writing: &rows) { access.decode(block, $0, [stretch]) }
        return true
    }

    /// The blocks of some rows, for each property kept in a register of its own, blobs left out.
    /// - Throws: `EncodingError` from a `codable:` property.
    package func blocks(of rows: [Root], first: Int, count: Int) throws -> [(property: Property, block: ColumnBlock)] {
        try withRawRows(reading: rows) { rows in
            var blocks: [(property: Property, block: ColumnBlock)] = []
            for column in columns where column.isRegister {
                guard case .column(let access) = column.access else { continue }
                blocks.append((column.property, try access.encode(rows, first, count)))
            }
            return blocks
        }
    }

    /// Calls with each property kept in a register of its own, blobs left out, and each row that differs in it.
    package func forEachDifference(_ old: [Root], _ new: [Root], _ body: (Property, Int) -> Void) {
        withRawRows(reading: old) { before in
            withRawRows(reading: new) { after in
                for column in columns where column.isRegister {
                    guard case .column(let access) = column.access else { continue }
                    access.differ(before, after) { body(column.property, $0) }
                }
            }
        }
    }
}
