package import EventLog
package import Storage

extension Run {
    /// The number of the row of an object; nil when the run has none.
    package func position(of id: ObjectID) throws(StorageError) -> Int? {
        for section in directory.sections {
            guard let block = block(of: id, in: section.blocks) else { continue }
            if let row = try heads(block).ids.row(of: id) { return block << RunFormat.rowShift | row }
        }
        return nil
    }

    /// False when no row's id is in a range, as far as the bounds of blocks tell.
    func mayContain(_ range: ClosedRange<ObjectID>) -> Bool {
        directory.sections.contains { section in
            var low = section.blocks.lowerBound
            var high = section.blocks.upperBound
            while low < high {
                let middle = (low + high) >> 1
                if directory.blocks[middle].last < range.lowerBound { low = middle + 1 } else { high = middle }
            }
            return low < section.blocks.upperBound && directory.blocks[low].first <= range.upperBound
        }
    }

    /// The record of an object; nil when the run has none.
    package func record(_ id: ObjectID) throws(StorageError) -> ObjectRecord? {
        try position(of: id).map { row throws(StorageError) in try record(at: row) }
    }

    /// The record of a row that ``position(of:)`` gave.
    package func record(at row: Int) throws(StorageError) -> ObjectRecord {
        let (block, place) = try split(row)
        let rows = try rows(block)
        return try naming(block) { () throws(StorageError) in try rows.record(place) }
    }

    /// A row that ``position(of:)`` gave, to read several values of it without building its record.
    package func row(at row: Int) throws(StorageError) -> RunRow {
        let (block, place) = try split(row)
        return RunRow(try rows(block), place)
    }

    /// The row of an object, with its number; nil when the run has none.
    ///
    /// - Parameter entity: what the object most likely is, so that it is looked for there first.
    package func row(of id: ObjectID, likely entity: WireName?) throws(StorageError) -> (row: RunRow, number: Int)? {
        let likely = directory.sections.firstIndex { $0.section.entity != nil && $0.section.entity == entity }
        if let likely, let found = try row(of: id, section: likely) { return found }
        for section in directory.sections.indices where section != likely {
            if let found = try row(of: id, section: section) { return found }
        }
        return nil
    }

    private func row(of id: ObjectID, section: Int) throws(StorageError) -> (row: RunRow, number: Int)? {
        guard let block = block(of: id, in: directory.sections[section].blocks) else { return nil }
        // The heads alone tell whether it is here; a block that is at hand has them.
        let known = cachedRows(block)
        let heads = if let known { known.heads } else { try heads(block) }
        guard let place = heads.ids.row(of: id) else { return nil }
        let rows = if let known { known } else { try rows(block) }
        return (RunRow(rows, place), block << RunFormat.rowShift | place)
    }

    /// What the object of a row itself has of a property, a counter with its increments; nil for nothing.
    package func value(at row: Int, _ property: Property) throws(StorageError) -> Value? {
        let (block, place) = try split(row)
        let section = directory.sections[sectionIndex(ofBlock: block)]
        guard let chunk = chunk(of: property, block, section) else { return nil }
        return try column(block, chunk, type: property.type).value(place)
    }

    /// Whether the object of a row is alive.
    func isAlive(_ row: Int) -> Bool {
        directory.sections[sectionIndex(ofBlock: row >> RunFormat.rowShift)].section.entity != nil
    }

    /// Whose row it is.
    package func id(at row: Int) throws(StorageError) -> ObjectID {
        let (block, place) = try split(row)
        return try heads(block).ids[place]
    }

    /// The objects whose rows have a term, ascending by row; perhaps one of another term that has the same hash.
    package func rows(withTerm term: UInt64) throws(StorageError) -> [ObjectID] {
        try positions(withTerm: term).map { row throws(StorageError) in try id(at: row) }
    }

    /// The numbers of the rows that have a term, ascending.
    package func positions(withTerm term: UInt64) throws(StorageError) -> [Int] {
        guard mayHave(TermFilter.Probe(term)) else { return [] }
        let firsts = directory.terms.firsts
        var low = 0
        var high = firsts.count
        while low < high {
            let middle = (low + high) >> 1
            if firsts[middle] < term { low = middle + 1 } else { high = middle }
        }
        var rows: [Int] = []
        // The term may begin at the end of the block before.
        var number = max(0, low - 1)
        while number < firsts.count, firsts[number] <= term {
            guard try terms(number).collect(term, into: &rows) else { break }
            number += 1
        }
        var last = -1
        rows.removeAll { row in
            defer { last = row }
            return row == last
        }
        return rows
    }

    /// Which chunk of a block is a property's; nil when the block has nothing of it.
    func chunk(of property: Property, _ block: Int, _ section: RunDirectory.Section) -> ChunkPlace? {
        guard let number = section.numbers[property] else { return nil }
        let column = RunFormat.Column.firstProperty + number
        let chunks = directory.blocks[block].chunks
        var low = 0
        var high = chunks.count
        while low < high {
            let middle = (low + high) >> 1
            if chunks[middle].column < column { low = middle + 1 } else { high = middle }
        }
        return low < chunks.count && chunks[low].column == column ? chunks[low] : nil
    }

    func sectionIndex(ofBlock block: Int) -> Int {
        var index = 0
        while directory.sections[index].blocks.upperBound <= block { index += 1 }
        return index
    }

    /// The block of a section whose range of ids an id lies in.
    private func block(of id: ObjectID, in blocks: Range<Int>) -> Int? {
        var low = blocks.lowerBound
        var high = blocks.upperBound
        while low < high {
            let middle = (low + high) >> 1
            if directory.blocks[middle].first <= id { low = middle + 1 } else { high = middle }
        }
        guard low > blocks.lowerBound, id <= directory.blocks[low - 1].last else { return nil }
        return low - 1
    }

    private func split(_ row: Int) throws(StorageError) -> (block: Int, place: Int) {
        let block = row >> RunFormat.rowShift
        let place = row & (RunFormat.blockRows - 1)
        guard row >= 0, block < directory.blocks.count, place < directory.blocks[block].count else {
            throw .malformed("a reference to row \(row), which the run does not have", path: path)
        }
        return (block, place)
    }
}
