package import EventLog

extension FoldState {
    /// Joins a transaction whose origins are branch names; see ``apply(_:)-(Transaction)``.
    package mutating func apply(_ transaction: GroupedTransaction) {
        for group in transaction.groups { join(group, stamp: transaction.header.stamp) }
        advance(to: transaction.header)
    }

    /// Joins a group of changes, made under `stamp`.
    package mutating func join(_ group: ChangeGroup, stamp: Stamp) {
        guard case .insert(let inserts) = group else { return group.forEachChange { apply($0, stamp: stamp) } }
        insert(InsertedRows(inserts, stamp: stamp))
    }

    /// Joins many inserts.
    ///
    /// Those of objects of which nothing is known, and whose key nobody else has, are taken by columns; the others one by one.
    mutating func insert(_ rows: InsertedRows) {
        var terms = RowTerms(rows, schema)
        guard terms.areKeysAlone, (origins[rows.replica]?.sequence ?? 0) < rows.sequence else {
            for row in 0..<rows.count { insertFirst(rows.id(row), rows.insertion(row)) }
            return
        }
        let hashes = (0..<rows.count).map { terms.keyHash($0) }
        let mayBeKnown = objects.mayBeBelow(rows.range)
        func isNew(_ row: Int) -> Bool {
            if mayBeKnown, objects.isBelow(rows.id(row)) { return false }
            return hashes[row].map { !objects.isTermBelow($0) } ?? true
        }
        var next = 0
        // Behind what was looked at below: that does not change.
        var looked = 0
        while next < rows.count {
            if looked <= next {
                looked = next
                while looked < rows.count, isNew(looked) { looked += 1 }
            }
            if next < looked { next = objects.append(rows, next..<looked, hashes) }
            guard next < rows.count else { break }
            insertFirst(rows.id(next), rows.insertion(next))
            next += 1
        }
    }

    /// Joins inserts of new objects, whose keys nobody has.
    ///
    /// - Parameter hashes: of their keys, by row.
    mutating func insertNew(_ rows: InsertedRows, _ hashes: [UInt64?]) {
        let added = objects.append(rows, 0..<rows.count, hashes)
        precondition(added == rows.count, "\(rows.id(added)) was to be new, and is there")
    }
}
