package import EventLog
import Storage

// Invariants
// * All columns, `hashes` and the ids have `count` entries: the ids are those of `first` and the next ones.
// * Nobody else has a key of a row: neither another row, nor an object of the state when the row was added.
// * The columns may have one row more while it is being tried.
// * A shape has no references, no blobs, no one-to-one relationships, and one column at most for each part of the unique key.

/// Inserts of one shape in a transaction in progress, gathered by columns: in the state they are not yet.
package final class OpenInserts {
    package let entity: WireName
    private let properties: [Property]
    /// The columns of the unique key, in its order; empty without one, or where the shape lacks a part of it.
    private let key: [Int]
    private var first: UInt32 = 0
    private var columns: [ColumnBuffer]
    private var hashes: [UInt64?] = []
    private var places = PlaceTable()
    private var weight = 0
    /// The bytes of a key, as far as they are the same for all rows.
    private var bytes = DigestBytes()
    private let prefix: Int

    /// More rows than these, or bytes, are to be settled.
    private static let mostRows = 1_024
    private static let mostBytes = 256 << 10
    /// What is larger goes alone.
    private static let largestRow = 16 << 10

    /// Nil for a shape of which objects concern each other.
    package init?(_ entity: WireName, like values: [PropertyValue], _ schema: SchemaState) {
        guard !schema.hasOneToOnes(entity), !values.isEmpty else { return nil }
        self.entity = entity
        let properties = values.map(\.property)
        self.properties = properties
        for property in properties {
            switch property.type {
            case .reference, .blob, .edges: return nil
            default: break
            }
        }
        var key: [Int] = []
        for name in schema.key(of: entity) {
            let named = properties.indices.filter { properties[$0].name.hasBytes(of: name) }
            guard named.count < 2 else { return nil }
            key += named
        }
        self.key = key.count == schema.key(of: entity).count ? key : []
        columns = properties.map { ColumnBuffer($0) }
        FoldTerms.begin(&bytes, entity)
        prefix = bytes.count
    }

    /// Whether columns of an entity are of this shape.
    package func isLike(_ entity: WireName, _ columns: [Property]) -> Bool { entity == self.entity && columns == properties }

    package var isEmpty: Bool { hashes.isEmpty }
    package var isFull: Bool { hashes.count >= Self.mostRows || weight >= Self.mostBytes }

    /// Whether values of an entity are of this shape.
    package func isLike(_ entity: WireName, _ values: [PropertyValue]) -> Bool {
        guard values.count == properties.count, entity == self.entity else { return false }
        for place in values.indices where values[place].property != properties[place] { return false }
        return true
    }

    /// Adds a row of this shape.
    ///
    /// - Parameters:
    ///   - isKnown: whether an object of the state may have a term.
    ///   - fill: adds the row's value to each column.
    /// - Returns: false, with nothing added, when something else may have its key, or it is large.
    package func append(_ id: ObjectID, isKnown: (UInt64) -> Bool, _ fill: (inout [ColumnBuffer]) -> Void) -> Bool {
        fill(&columns)
        let size = lastSize
        let hash = keyHash()
        if size > Self.largestRow || (hash.map { has($0) || isKnown($0) } ?? false) {
            for place in columns.indices { columns[place].removeLast() }
            return false
        }
        if let hash { note(hash) }
        if hashes.isEmpty { first = id.index }
        hashes.append(hash)
        weight += size
        return true
    }

    /// About how many bytes the last row of the columns takes.
    private var lastSize: Int {
        // By span: an element would be copied.
        let all = columns
        let columns = all.span
        var size = 8 * columns.count
        for place in columns.indices { size += columns[place].lastByteCount }
        return size
    }

    /// The hash of the key of the last row of the columns; nil when a part of it is null.
    private func keyHash() -> UInt64? {
        if key.isEmpty { return nil }
        bytes.truncate(to: prefix)
        let all = columns
        let columns = all.span
        for place in key {
            guard columns[place].isLastPresent else { return nil }
            bytes.add(properties[place])
            bytes.addLast(of: columns[place])
        }
        return bytes.digest.low
    }

    private func has(_ hash: UInt64) -> Bool { places.find(hash, { hashes[Int($0)] == hash }) != nil }

    private func note(_ hash: UInt64) {
        if places.isFull {
            var table = places.larger
            for (place, hash) in hashes.enumerated() { if let hash { table.put(hash, Int32(place), after: -1) } }
            places = table
        }
        places.put(hash, Int32(hashes.count), after: -1)
    }

    /// Tells the log of the rows and joins them to the state; then there are none.
    ///
    /// - Throws: what the builder throws; then the transaction is to be given up.
    package func settle(to state: inout FoldState, _ builder: TransactionBuilder, stamp: Stamp) throws {
        guard !hashes.isEmpty else { return }
        let count = hashes.count
        let given = try builder.insertRows(entity.text, properties, count: count) { group in
            for place in group.indices { group[place].append(contentsOf: columns[place]) }
        }
        precondition(given == first, "the log numbers \(entity)'s inserts from \(given), the transaction from \(first)")
        let group = ChangeGroup.Inserts(
            entity: entity.text, origin: builder.origin, sequence: builder.sequence,
            indexes: Array(first..<first + UInt32(count)),
            columns: zip(properties, columns).map { ChangeGroup.Column(property: $0, values: $1.decoded) })
        state.insertNew(InsertedRows(group, stamp: stamp), hashes)
        columns = properties.map { ColumnBuffer($0) }
        hashes.removeAll(keepingCapacity: true)
        places.removeAll()
        weight = 0
    }
}

extension DigestBytes {
    /// The value of the last row of a column, as ``add(_:)-(Value)`` adds it.
    fileprivate mutating func addLast(of column: ColumnBuffer) {
        guard column.property.type == .string else { return add(column.last) }
        add(ValueType.string.rawValue)
        addVarint(column.lastByteCount)
        column.withLastBytes { add($0) }
    }
}
