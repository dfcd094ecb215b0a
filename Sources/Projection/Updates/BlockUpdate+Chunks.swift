import EventLog
import Storage

// The block as it is stored with the update.
extension BlockUpdate {
    /// The chunks of the block with new ones in the place of those that change.
    func applied(to block: StoredBlock) -> StoredBlock {
        var parts: [StoredBlock.Part] = []
        for part in block.parts {
            if part.place.column == RunFormat.Column.stamps { continue }
            if let property = part.property, columns.contains(where: { $0.property == property }) { continue }
            parts.append(part)
        }
        for column in columns { parts.append(part(column)) }
        let head = parts.partition { $0.property != nil }
        parts[head...].sort { a, b in a.property.flatMap { a in b.property.map { a < $0 } } ?? false }
        let codes = parts[head...].compactMap(\.property).map { stampCodes(of: $0, was: block.propertyPlace(of: $0)) }
        parts.insert(stampsPart(codes), at: 1)
        return StoredBlock(count: block.count, first: block.first, last: block.last, parts: parts)
    }

    private func part(_ column: Column) -> StoredBlock.Part {
        var builder = ColumnBuilder(column.property)
        var next = 0
        for row in 0..<count {
            if next < column.changed.count, column.changed[next] == row {
                _ = builder.append(column.new, code: 0, row: row)
                next += 1
            } else if let value = column.held?.chunk.value(row) {
                _ = builder.append(value, code: 0, row: row)
            }
        }
        builder.pad(to: count)
        return StoredBlock.Part(
            PackedChunk(column: RunFormat.Column.firstProperty, builder.encode(), bounds: builder.bounds), column.property)
    }

    /// The number that the update's own stamp has among those of the block.
    private var ownCode: UInt32 {
        let known = stamps?.entries.firstIndex { $0 == StampTable.Entry(stamp: stamp, isExplicit: true) }
        return UInt32((known ?? stamps?.entries.count ?? 0) + 1)
    }

    private func stampCodes(of property: Property, was place: Int?) -> [UInt32] {
        let held = place.flatMap { place in stamps?.codes[place] } ?? []
        guard let column = columns.first(where: { $0.property == property }) else { return held }
        var codes = held.isEmpty ? [UInt32](repeating: 0, count: count) : held
        let own = ownCode
        for row in column.changed { codes[row] = own }
        return codes
    }

    /// The stamps that are left: those of which the update was the last trace go.
    private func stampsPart(_ codes: [[UInt32]]) -> StoredBlock.Part {
        var entries = stamps?.entries ?? []
        if Int(ownCode) > entries.count { entries.append(StampTable.Entry(stamp: stamp, isExplicit: true)) }
        var isUsed = [Bool](repeating: false, count: entries.count + 1)
        isUsed[0] = true
        for column in codes { for code in column { isUsed[Int(code)] = true } }
        var codes = codes
        if isUsed.contains(false) {
            var numbers = [UInt32](repeating: 0, count: isUsed.count)
            var last: UInt32 = 0
            for code in isUsed.indices.dropFirst() where isUsed[code] {
                last += 1
                numbers[code] = last
            }
            entries = entries.indices.filter { isUsed[$0 + 1] }.map { entries[$0] }
            codes = codes.map { column in column.map { numbers[Int($0)] } }
        }
        var writer = ByteWriter()
        StampTable.write(entries, codes, to: &writer)
        return StoredBlock.Part(PackedChunk(column: RunFormat.Column.stamps, writer.bytes), nil)
    }
}
