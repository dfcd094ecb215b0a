package import EventLog
import Storage

extension RunSet {
    /// The row of an object that counts, to be read without building its record; nil when there is none.
    ///
    /// - Parameter entity: what the object most likely is.
    package func row(of id: ObjectID, likely entity: WireName? = nil) -> RunRow? {
        do throws(StorageError) {
            for member in members.reversed() {
                guard let (row, number) = try member.run.row(of: id, likely: entity) else { continue }
                if !member.superseded.contains(number) { return row }
            }
        } catch {
            note(error)
        }
        return nil
    }
}

extension FoldState {
    /// The row of an object that reads as the columns of a run say, without a look at any other object.
    ///
    /// Nil when it is in memory, irregular or nowhere: then its record tells, if there is one.
    package func runRow(of id: ObjectID, likely entity: WireName? = nil) -> RunRow? {
        guard let base = objects.base as? RunSet, isRegular(id), !objects.isInMemory(id) else { return nil }
        return base.row(of: id, likely: entity)
    }
}

extension RunSet {
    /// Where objects of an entity are, as far as reading whole columns of their blocks pays.
    ///
    /// - Returns: the blocks, and where in them which of the objects are; others are to be read one by one.
    package func locate(
        _ ids: [ObjectID], of entity: WireName
    ) -> (blocks: [RunBlock], positions: [ObjectID: ScanPosition]) {
        // So many rows are read one by one in the time that a block's columns are read in.
        let leastRows = 16
        var found: [HiddenRow: [(id: ObjectID, row: Int)]] = [:]
        for id in ids {
            guard let place = findRow(of: id) else { continue }
            let row = place.row & (RunFormat.blockRows - 1)
            found[HiddenRow(member: place.member, row: place.row - row), default: []].append((id, row))
        }
        var blocks: [RunBlock] = []
        var positions: [ObjectID: ScanPosition] = [:]
        for (member, all) in members.map({ $0.run.blocks(of: entity) }).enumerated() {
            for block in all {
                let rows = found[HiddenRow(member: member, row: block.firstRow)] ?? []
                if rows.count < leastRows { continue }
                for (id, row) in rows { positions[id] = ScanPosition(block: blocks.count, row: row) }
                blocks.append(block)
            }
        }
        return (blocks, positions)
    }
}

extension RunSet {
    /// Calls with the records of objects that the runs have, each block being read once and past the cache.
    fileprivate func visit(_ ids: [ObjectID], _ body: (ObjectID, ObjectRecord) -> Void) {
        do {
            var places: [(member: Int, row: Int, id: ObjectID)] = []
            places.reserveCapacity(ids.count)
            for id in ids { if let place = try place(of: id) { places.append((place.member, place.row, id)) } }
            places.sort { ($0.member, $0.row) < ($1.member, $1.row) }
            var open: (member: Int, block: Int, rows: BlockRows)?
            for (member, row, id) in places {
                let run = members[member].run
                let block = row >> RunFormat.rowShift
                if open?.member != member || open?.block != block {
                    let section = run.directory.sections[run.sectionIndex(ofBlock: block)]
                    open = (member, block, try run.readRows(block, of: section))
                }
                guard let rows = open?.rows else { continue }
                let record = try run.naming(block) { () throws(StorageError) in
                    try rows.record(row & (RunFormat.blockRows - 1))
                }
                body(id, record)
            }
        } catch {
            note(StorageError.of(error))
        }
    }
}

extension FoldState {
    /// Brings the records of objects from runs into memory, in the order of the runs: for whoever is about to change them in another.
    package mutating func preload(_ ids: Set<ObjectID>) {
        guard let base = objects.base as? RunSet else { return }
        var found: [(ObjectID, ObjectRecord)] = []
        base.visit(ids.filter { !objects.isInMemory($0) }.sorted()) { found.append(($0, $1)) }
        for (id, record) in found { objects.set(id, .whole(record), since: journal?.savepoint) }
    }
}
