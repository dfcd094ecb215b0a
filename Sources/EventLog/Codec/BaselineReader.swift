package import Storage

// Invariants
// * `reader` is at the next object; `left` of them follow.

/// Reads one body of a baseline: its head at once, its objects one by one.
package struct BaselineReader: Sendable {
    /// From 0; bodies are read in this order, up to the last.
    package let number: UInt64
    package let isLast: Bool
    /// The entries in this body.
    package let floor: [Baseline.FloorEntry]
    package let schema: [Baseline.SchemaEntry]
    private let tables: PartTables
    private var reader: ByteReader
    private var left: Int
    private var lastID: ObjectID?

    /// - Throws: `malformed`, or `newerVersion`.
    package init(_ body: [UInt8]) throws(StorageError) {
        guard body.count <= BaselineFormat.maximumBody else {
            throw .malformed("a baseline body of \(body.count) bytes", offset: 0)
        }
        reader = ByteReader(body)
        let version = try reader.u8()
        guard version == BaselineFormat.version else { throw .newerVersion("a baseline of version \(version)", offset: 0) }
        number = try reader.varint()
        isLast = try reader.flag()
        floor = try reader.floor()
        schema = try reader.schema()
        tables = try PartTables(from: &reader, own: ReplicaID(.zero))
        left = try reader.count(max: reader.remaining, minimumSize: 16)
    }

    /// The next object, nil behind the last of this body.
    ///
    /// An object may come in several entries with the same id.
    package mutating func next() throws(StorageError) -> Baseline.Object? {
        guard left > 0 else {
            try reader.expectEnd()
            return nil
        }
        left -= 1
        let start = reader.position
        let id = try objectID()
        if let lastID, id < lastID { throw .malformed("objects that do not ascend", offset: UInt64(start)) }
        lastID = id
        let entity = try reader.number(below: tables.entities.count + 1, "an entity")
        let created = Timestamp(rawValue: try reader.u64())
        var object = Baseline.Object(
            id: id, entity: entity == 0 ? nil : tables.entities[entity - 1], created: created, length: try reader.length())
        for _ in 0..<(try reader.count(max: reader.remaining, minimumSize: 13)) {
            object.registers.append(try register(of: entity))
            try check(since: start)
        }
        for _ in 0..<(try reader.count(max: reader.remaining, minimumSize: 4)) {
            let property = try property(of: entity)
            object.sums.append(
                Baseline.CounterSum(
                    property: property, length: try reader.length(), origin: try origin(), sum: try reader.zigzag()))
            try check(since: start)
        }
        for _ in 0..<(try reader.count(max: reader.remaining, minimumSize: 6)) {
            let property = try property(of: entity)
            object.edges.append(
                Baseline.Edge(
                    property: property, target: try objectID(), ownerLength: try reader.length(), length: try reader.length()))
            try check(since: start)
        }
        return object
    }

    private mutating func register(of entity: Int) throws(StorageError) -> Baseline.Register {
        let property = try property(of: entity)
        let length = try reader.length()
        let isExplicit = try reader.flag()
        let timestamp = Timestamp(rawValue: try reader.u64())
        let stamp = Stamp(timestamp: timestamp, replica: try origin())
        let value = try DecodedColumn(from: &reader, type: property.type, count: 1, origins: tables.origins).value(at: 0)
        return Baseline.Register(property: property, length: length, isExplicit: isExplicit, stamp: stamp, value: value)
    }

    /// A column of the object's entity, given by its number + 1; of the one without a name when that is not known.
    private mutating func property(of entity: Int) throws(StorageError) -> Property {
        let start = reader.position
        let column = tables.columns[try reader.number(below: tables.columns.count, "a column")]
        guard entity > 0 ? column.entity == entity - 1 : tables.entities[column.entity].isEmpty else {
            throw .malformed("a column of another entity", offset: UInt64(start))
        }
        return column.property
    }

    private mutating func origin() throws(StorageError) -> ReplicaID {
        let start = reader.position
        let number = try reader.number(below: tables.origins.count, "an origin")
        guard number > 0 else { throw .malformed("origin number 0 in a baseline", offset: UInt64(start)) }
        return tables.origins[number]
    }

    private mutating func objectID() throws(StorageError) -> ObjectID {
        let replica = try origin()
        let start = reader.position
        let sequence = try reader.varint()
        guard sequence > 0, let index = UInt32(exactly: try reader.varint()) else {
            throw .malformed("an object id out of range", offset: UInt64(start))
        }
        return ObjectID(replica: replica, sequence: sequence, index: index)
    }

    private func check(since start: Int) throws(StorageError) {
        guard reader.position - start <= BaselineFormat.maximumEntry else {
            throw .malformed("an object's entry of over \(BaselineFormat.maximumEntry) bytes", offset: UInt64(start))
        }
    }
}

extension Baseline {
    /// Reads a whole baseline from its bodies in order.
    package init(bodies: [[UInt8]]) throws(StorageError) {
        self.init()
        for (number, body) in bodies.enumerated() {
            var reader = try BaselineReader(body)
            guard reader.number == UInt64(number), reader.isLast == (number == bodies.count - 1) else {
                throw .malformed("body \(reader.number) of a baseline where \(number) of \(bodies.count) belongs", offset: 0)
            }
            for entry in reader.floor { join(entry) }
            schema += reader.schema
            while let object = try reader.next() { join(object) }
        }
        guard !bodies.isEmpty else { throw .malformed("a baseline without bodies", offset: 0) }
    }

    private mutating func join(_ object: Object) {
        guard let last = objects.indices.last, objects[last].id == object.id else { return objects.append(object) }
        objects[last].registers += object.registers
        objects[last].sums += object.sums
        objects[last].edges += object.edges
    }
}

extension ByteReader {
    fileprivate mutating func flag() throws(StorageError) -> Bool {
        let value = try u8()
        guard value <= 1 else { throw failure("neither 0 nor 1") }
        return value == 1
    }

    fileprivate mutating func length() throws(StorageError) -> UInt32 {
        guard let length = UInt32(exactly: try varint()) else { throw failure("a length over 32 bits") }
        return length
    }

    fileprivate mutating func floor() throws(StorageError) -> [Baseline.FloorEntry] {
        var floor: [Baseline.FloorEntry] = []
        for _ in 0..<(try count(max: TransactionFormat.maximumContext, minimumSize: 76)) {
            let start = position
            let branch = try BranchRoot(from: &self)
            var entry = Baseline.FloorEntry(
                branch: branch, name: ReplicaID(try digest()), sequence: try varint(), chain: try digest(),
                timestamp: Timestamp(rawValue: try u64()), context: try context(without: nil))
            let chains = try count(max: remaining, minimumSize: 16)
            if chains > 0 { entry.start = Timestamp(rawValue: try u64()) }
            entry.chains.reserveCapacity(chains)
            for _ in 0..<chains { entry.chains.append(try digest()) }
            // A long list of chains comes in several entries.
            guard floor.last.map({ $0.name <= entry.name }) ?? true else {
                throw .malformed("a floor that does not ascend", offset: UInt64(start))
            }
            floor.append(entry)
        }
        return floor
    }

    fileprivate mutating func schema() throws(StorageError) -> [Baseline.SchemaEntry] {
        var schema: [Baseline.SchemaEntry] = []
        for _ in 0..<(try count(max: remaining, minimumSize: 29)) {
            let timestamp = Timestamp(rawValue: try u64())
            let stamp = Stamp(timestamp: timestamp, replica: ReplicaID(try digest()))
            var record = try subReader(try count(max: remaining))
            schema.append(Baseline.SchemaEntry(stamp: stamp, declaration: try record.declaration()))
            try record.expectEnd()
        }
        return schema
    }
}
