package import Storage

// Invariants
// * `cells` never passes `maximumCells`: what a part unfolds to is bounded before anything is allocated for it.
// * After a throw of anything but `newerVersion` the reader is of no use any more; after that it is behind the group in question.

/// The change groups of one part, one after the other.
package struct GroupReader: Sendable {
    private var reader: ByteReader
    private let tables: PartTables
    private let origin: ReplicaID
    private let sequence: UInt64
    private var cells = 0

    /// Takes a reader that is at the part's groups.
    init(_ reader: ByteReader, tables: PartTables, origin: ReplicaID, sequence: UInt64) {
        self.reader = reader
        self.tables = tables
        self.origin = origin
        self.sequence = sequence
    }

    /// The next group, nil behind the last.
    ///
    /// - Throws: `malformed`; `newerVersion` for a kind that this version must not skip.
    package mutating func next() throws(StorageError) -> ChangeGroup? {
        if reader.isAtEnd { return nil }
        let start = reader.position
        let kind = try reader.u8()
        var body = try reader.subReader(try reader.count(max: reader.remaining))
        guard let known = TransactionFormat.Kind(rawValue: kind) else {
            guard kind & TransactionFormat.Kind.skippable != 0 else {
                throw .newerVersion("a change of kind \(kind)", offset: UInt64(start))
            }
            try charge(rows: 1, columns: 0, at: start)
            return .unknown(kind: kind)
        }
        let group = try group(known, from: &body, at: start)
        try body.expectEnd()
        return group
    }

    /// The next group that this version can read, nil behind the last.
    ///
    /// - Throws: `malformed`.
    package mutating func nextReadable() throws(StorageError) -> ChangeGroup? {
        while true {
            do throws(StorageError) {
                return try next()
            } catch {
                guard error.code == .newerVersion else { throw error }
            }
        }
    }

    private mutating func group(
        _ kind: TransactionFormat.Kind, from body: inout ByteReader, at start: Int
    ) throws(StorageError) -> ChangeGroup {
        switch kind {
        case .insert: return .insert(try inserts(from: &body))
        case .update: return .update(try updates(from: &body))
        case .delete: return .delete(try rows(from: &body) { $0 & 1 == 0 && $0 > 0 })
        case .restore: return .restore(try rows(from: &body) { $0 & 1 == 1 })
        case .edge: return .edge(try edges(from: &body))
        case .increment: return .increment(try increments(from: &body))
        case .schema:
            try charge(rows: 1, columns: 0, at: start)
            return .schema(try body.declaration())
        case .rename:
            try charge(rows: 1, columns: 0, at: start)
            return .rename(former: ReplicaID(try body.digest()))
        case .undo:
            try charge(rows: 1, columns: 0, at: start)
            let origin = ReplicaID(try body.digest())
            let sequence = try body.varint()
            guard sequence > 0, sequence < TransactionFormat.numberLimit else {
                throw .malformed("an undo of transaction \(sequence)", offset: UInt64(start))
            }
            return .undo(origin: origin, sequence: sequence)
        }
    }

    private mutating func inserts(from body: inout ByteReader) throws(StorageError) -> ChangeGroup.Inserts {
        let tables = tables
        let entity = try entity(from: &body)
        let count = try rowCount(from: &body)
        let start = body.position
        let indexes = try body.smallInts(count, "an index")
        for row in indexes.indices.dropFirst() where indexes[row] <= indexes[row - 1] {
            throw .malformed("indexes that do not ascend", offset: UInt64(start))
        }
        var columns: [ChangeGroup.Column] = []
        try forEachColumn(of: entity, rows: count, from: &body) { property, body throws(StorageError) in
            let values = try DecodedColumn(from: &body, type: property.type, count: count, origins: tables.origins)
            columns.append(ChangeGroup.Column(property: property, values: values))
        }
        return ChangeGroup.Inserts(
            entity: tables.entities[entity], origin: origin, sequence: sequence, indexes: indexes, columns: columns)
    }

    private mutating func updates(from body: inout ByteReader) throws(StorageError) -> ChangeGroup.Updates {
        let tables = tables
        let entity = try entity(from: &body)
        let count = try rowCount(from: &body)
        let objects = try body.objects(count, origins: tables.origins)
        let lengths = try body.smallInts(count, "a length") { $0 & 1 == 1 }
        var columns: [ChangeGroup.UpdateColumn] = []
        try forEachColumn(of: entity, rows: count, weight: 2, from: &body) { property, body throws(StorageError) in
            let new = try DecodedColumn(from: &body, type: property.type, count: count, origins: tables.origins)
            let start = body.position
            let old = try DecodedColumn(from: &body, type: property.type, count: count, origins: tables.origins)
            let hadValue = try Presence(from: &body, count: count)
            guard old.presence.isSubset(of: hadValue) else {
                throw .malformed("an old value without its stamp", offset: UInt64(start))
            }
            let stamps = hadValue.isNone ? [] : try body.stamps(hadValue.present, origins: tables.origins)
            let filler = Stamp(timestamp: .zero, replica: tables.origins[0])
            columns.append(
                ChangeGroup.UpdateColumn(
                    property: property, new: new, old: old, hadValue: hadValue,
                    overwrote: hadValue.isNone ? [] : hadValue.spread(stamps, filler: filler)))
        }
        return ChangeGroup.Updates(entity: tables.entities[entity], objects: objects, lengths: lengths, columns: columns)
    }

    private mutating func rows(
        from body: inout ByteReader, where isLength: (UInt32) -> Bool
    ) throws(StorageError) -> ChangeGroup.Rows {
        let tables = tables
        let entity = try entity(from: &body)
        let count = try rowCount(from: &body)
        let objects = try body.objects(count, origins: tables.origins)
        let lengths = try body.smallInts(count, "a length", where: isLength)
        var columns: [ChangeGroup.SparseColumn] = []
        try forEachColumn(of: entity, rows: count, from: &body) { property, body throws(StorageError) in
            let start = body.position
            let values = try DecodedColumn(from: &body, type: property.type, count: count, origins: tables.origins)
            let presence = try Presence(from: &body, count: count)
            guard values.presence.isSubset(of: presence) else {
                throw .malformed("a value in a row without the column", offset: UInt64(start))
            }
            columns.append(ChangeGroup.SparseColumn(property: property, values: values, presence: presence))
        }
        return ChangeGroup.Rows(entity: tables.entities[entity], objects: objects, lengths: lengths, columns: columns)
    }

    private mutating func edges(from body: inout ByteReader) throws(StorageError) -> ChangeGroup.Edges {
        let column = try column(.edges, from: &body)
        let count = try rowCount(from: &body)
        return ChangeGroup.Edges(
            entity: tables.entities[column.entity], property: column.property,
            owners: try body.objects(count, origins: tables.origins), targets: try body.objects(count, origins: tables.origins),
            ownerLengths: try body.smallInts(count, "an owner's length") { $0 & 1 == 1 },
            lengths: try body.smallInts(count, "a length") { $0 > 0 })
    }

    private mutating func increments(from body: inout ByteReader) throws(StorageError) -> ChangeGroup.Increments {
        let column = try column(.counter, from: &body)
        let count = try rowCount(from: &body)
        return ChangeGroup.Increments(
            entity: tables.entities[column.entity], property: column.property,
            objects: try body.objects(count, origins: tables.origins),
            lengths: try body.smallInts(count, "a length") { $0 & 1 == 1 },
            additions: try body.ints(count), seen: try body.ints(count))
    }
}

// The parts that kinds share.
extension GroupReader {
    private func entity(from body: inout ByteReader) throws(StorageError) -> Int {
        try body.number(below: tables.entities.count, "an entity")
    }

    private func column(_ type: ValueType, from body: inout ByteReader) throws(StorageError) -> PartTables.Column {
        let start = body.position
        let column = tables.columns[try body.number(below: tables.columns.count, "a column")]
        guard column.property.type == type else {
            throw .malformed("a column of type \(column.property.type), not \(type)", offset: UInt64(start))
        }
        return column
    }

    private mutating func rowCount(from body: inout ByteReader) throws(StorageError) -> Int {
        let start = body.position
        let count = try body.count(max: TransactionFormat.maximumCells, minimumSize: 0)
        guard count > 0 else { throw .malformed("a group without changes", offset: UInt64(start)) }
        try charge(rows: count, columns: 0, at: start)
        return count
    }

    /// Takes note of cells before they are read.
    private mutating func charge(rows: Int, columns: Int, at offset: Int) throws(StorageError) {
        cells += TransactionFormat.cells(rows: rows, columns: columns)
        guard cells <= TransactionFormat.maximumCells else {
            throw .malformed("more than \(TransactionFormat.maximumCells) values in a part", offset: UInt64(offset))
        }
    }

    private mutating func forEachColumn(
        of entity: Int, rows: Int, weight: Int = 1, from body: inout ByteReader,
        _ read: (Property, inout ByteReader) throws(StorageError) -> Void
    ) throws(StorageError) {
        let start = body.position
        let count = try body.count(max: tables.columns.count)
        cells -= rows
        try charge(rows: rows, columns: count * weight, at: start)
        var used: Set<Int> = []
        for _ in 0..<count {
            let start = body.position
            let number = try body.number(below: tables.columns.count, "a column")
            let column = tables.columns[number]
            guard column.entity == entity else { throw .malformed("a column of another entity", offset: UInt64(start)) }
            guard used.insert(number).inserted else { throw .malformed("a column twice in a group", offset: UInt64(start)) }
            try read(column.property, &body)
        }
    }
}

extension Presence {
    /// Whether every row present here is present there too.
    func isSubset(of other: Presence) -> Bool {
        if isNone || other.isAll { return true }
        return (0..<count).allSatisfy { !self[$0] || other[$0] }
    }
}
