import EventLog
import Storage

extension BlockBuilder {
    /// Adds rows of inserts, as many as there is room for.
    ///
    /// - Returns: how many it took; at least one.
    mutating func append(_ rows: InsertedRows, _ range: Range<Int>) -> Int {
        let count = room(for: rows, range)
        let taken = range.lowerBound..<range.lowerBound + count
        let created = rows.stamp.timestamp
        let first = begin(rows, taken)
        let code = code(of: rows.stamp, isExplicit: false, created: created, origin: rows.replica)
        for place in rows.columns.indices {
            let column = number(of: rows.columns[place].property, hint: place)
            append(rows.columns[place].values, taken, code: code, to: column, at: first)
        }
        return count
    }

    /// How many rows fit before the block is full; the last may go beyond.
    private func room(for rows: InsertedRows, _ range: Range<Int>) -> Int {
        let most = min(range.count, RunFormat.blockRows - count)
        let left = RunFormat.blockBytes - weight
        let one = max(1, weightPerRow(rows, range.lowerBound..<range.lowerBound + most))
        return max(1, min(most, left / one + 1))
    }

    private func weightPerRow(_ rows: InsertedRows, _ range: Range<Int>) -> Int {
        rows.columns.reduce(0) { $0 + 8 * range.count + $1.values.weight(range) } / range.count
    }
}

extension ColumnBuilder {
    /// Adds the values of rows of a column, all of one write; the first goes to `row`.
    mutating func append(_ column: DecodedColumn, _ range: Range<Int>, code: UInt32, row: Int) {
        pad(to: row)
        guard column.presence.isAll, code == 0, codes.isEmpty else {
            for (place, from) in range.enumerated() { _ = append(column.value(at: from), code: code, row: row + place) }
            return
        }
        switch column.values {
        case .bools(let values): Self.add(values[range], to: &bools, after: count)
        case .ints(let values), .counters(let values): Self.add(values[range], to: &ints, after: count)
        case .doubles(let values), .dates(let values): Self.add(values[range], to: &doubles, after: count)
        case .uuids(let values): Self.add(values[range], to: &uuids, after: count)
        case .references(let values): Self.add(values[range], to: &references, after: count)
        case .strings(let texts), .data(let texts):
            let start = range.lowerBound == 0 ? texts.start : texts.ends[range.lowerBound - 1]
            let shift = bytes.count - start
            bytes.append(contentsOf: texts.bytes[start..<texts.ends[range.upperBound - 1]])
            ends.reserveCapacity(ends.count + range.count)
            for row in range { ends.append(texts.ends[row] + shift) }
        case .blobs, .nulls:
            for (place, from) in range.enumerated() { _ = append(column.value(at: from), code: code, row: row + place) }
            return
        }
        noteValues(range.count)
    }

    private static func add<Element>(_ values: ArraySlice<Element>, to array: inout [Element], after count: Int) {
        // What came before the first value gets its filler only now.
        if array.count < count, let first = values.first {
            array.append(contentsOf: repeatElement(first, count: count - array.count))
        }
        array.append(contentsOf: values)
    }
}

extension DecodedColumn {
    /// About how many bytes the values of rows take beyond their slots.
    func weight(_ range: Range<Int>) -> Int {
        switch values {
        case .strings(let texts), .data(let texts):
            texts.ends[range.upperBound - 1] - (range.lowerBound == 0 ? texts.start : texts.ends[range.lowerBound - 1])
        case .references: 24 * range.count
        case .blobs(let blobs): range.reduce(0) { $0 + 32 + (blobs[$1]?.inline?.count ?? 0) }
        default: 0
        }
    }
}
