import Storage

// Invariants
// * A body that was handed over has at most `maximumBody` bytes, an entry of an object at most `maximumEntry`.
// * `floor`, `schema` and `objects` hold the entries of the body at hand, by the numbers of `tables`; all begin anew with each body.

/// Writes a baseline body by body, so that memory is bounded by one of them: first the floor, then the schema, then the objects.
package struct BaselineWriter {
    private struct Section {
        var count = 0
        var writer = ByteWriter()
    }

    private let sink: ([UInt8]) throws -> Void
    private var floor = Section(), schema = Section(), objects = Section()
    private var tables = NameTables(own: nil)
    private var number: UInt64 = 0

    package init(sink: @escaping ([UInt8]) throws -> Void) { self.sink = sink }

    /// Writes a whole baseline.
    package static func write(_ baseline: Baseline, to sink: @escaping ([UInt8]) throws -> Void) throws {
        var writer = BaselineWriter(sink: sink)
        for entry in baseline.floor { try writer.add(entry) }
        for entry in baseline.schema { try writer.add(entry) }
        for object in baseline.objects { try writer.add(object) }
        try writer.finish()
    }

    /// The floor's entries, ascending by name.
    package mutating func add(_ entry: Baseline.FloorEntry) throws {
        var rest = entry.chains[...]
        repeat {
            append(entry, chains: rest.prefix(BaselineFormat.preferredChains))
            rest = rest.dropFirst(BaselineFormat.preferredChains)
            try emitIfFull()
        } while !rest.isEmpty
    }

    private mutating func append(_ entry: Baseline.FloorEntry, chains: ArraySlice<Digest128>) {
        entry.branch.append(to: &floor.writer)
        floor.writer.digest(entry.name.bits)
        floor.writer.varint(entry.sequence)
        floor.writer.digest(entry.chain)
        floor.writer.u64(entry.timestamp.rawValue)
        floor.writer.count(entry.context.count)
        for context in entry.context { floor.writer.context(context) }
        floor.writer.count(chains.count)
        if !chains.isEmpty { floor.writer.u64(entry.start.rawValue) }
        for chain in chains { floor.writer.digest(chain) }
        floor.count += 1
    }

    /// - Throws: ``ChangeRefused`` for a name that is too long.
    package mutating func add(_ entry: Baseline.SchemaEntry) throws {
        var record = ByteWriter()
        try record.declaration(entry.declaration)
        schema.writer.u64(entry.stamp.timestamp.rawValue)
        schema.writer.digest(entry.stamp.replica.bits)
        schema.writer.count(record.count)
        schema.writer.raw(record.bytes)
        schema.count += 1
        try emitIfFull()
    }

    /// The objects, ascending by id.
    package mutating func add(_ object: Baseline.Object) throws {
        for piece in object.pieces {
            append(piece)
            objects.count += 1
            try emitIfFull()
        }
    }

    /// Hands over the last body.
    package mutating func finish() throws { try emit(isLast: true) }

    private mutating func append(_ object: Baseline.Object) {
        let entity = object.entity.map { tables.entity($0) }
        objects.writer.object(object.id, origins: &tables.origins)
        objects.writer.count(entity.map { $0 + 1 } ?? 0)
        objects.writer.u64(object.created.rawValue)
        objects.writer.varint(UInt64(object.length))
        // An object of no known entity has its columns under the empty name.
        let owner = entity ?? (object.hasColumns ? tables.entity("") : 0)
        objects.writer.count(object.registers.count)
        for register in object.registers {
            objects.writer.count(tables.column(register.property, of: owner))
            objects.writer.varint(UInt64(register.length))
            objects.writer.u8(register.isExplicit ? 1 : 0)
            objects.writer.u64(register.stamp.timestamp.rawValue)
            objects.writer.count(tables.origins.number(of: register.stamp.replica))
            objects.writer.value(register.value, origins: &tables.origins)
        }
        objects.writer.count(object.sums.count)
        for sum in object.sums {
            objects.writer.count(tables.column(sum.property, of: owner))
            objects.writer.varint(UInt64(sum.length))
            objects.writer.count(tables.origins.number(of: sum.origin))
            objects.writer.zigzag(sum.sum)
        }
        objects.writer.count(object.edges.count)
        for edge in object.edges {
            objects.writer.count(tables.column(edge.property, of: owner))
            objects.writer.object(edge.target, origins: &tables.origins)
            objects.writer.varint(UInt64(edge.ownerLength))
            objects.writer.varint(UInt64(edge.length))
        }
    }

    private mutating func emitIfFull() throws {
        let size = floor.writer.count + schema.writer.count + objects.writer.count + tables.byteCount
        if size >= BaselineFormat.preferredBody { try emit(isLast: false) }
    }

    private mutating func emit(isLast: Bool) throws {
        let size = floor.writer.count + schema.writer.count + objects.writer.count + tables.byteCount
        var body = ByteWriter(capacity: size + 64)
        body.u8(BaselineFormat.version)
        body.varint(number)
        body.u8(isLast ? 1 : 0)
        body.append(floor.count, floor.writer)
        body.append(schema.count, schema.writer)
        tables.write(to: &body)
        body.append(objects.count, objects.writer)
        precondition(body.count <= BaselineFormat.maximumBody, "a baseline body of \(body.count) bytes")
        number += 1
        floor = Section()
        schema = Section()
        objects = Section()
        tables = NameTables(own: nil)
        try sink(body.bytes)
    }
}

extension ByteWriter {
    fileprivate mutating func append(_ count: Int, _ section: ByteWriter) {
        self.count(count)
        raw(section.bytes)
    }
}

extension Baseline.Object {
    fileprivate var hasColumns: Bool { !registers.isEmpty || !sums.isEmpty || !edges.isEmpty }

    /// The object as entries that each stay within the limit; itself but for the rare giant.
    fileprivate var pieces: [Baseline.Object] {
        let limit = BaselineFormat.preferredEntry
        let weight = registers.reduce(96 * (sums.count + edges.count)) { $0 + $1.weight }
        if weight <= limit { return [self] }
        var pieces: [Baseline.Object] = []
        var piece = Baseline.Object(id: id, entity: entity, created: created, length: length)
        var size = 0
        func take(_ weight: Int, _ add: (inout Baseline.Object) -> Void) {
            if size > 0, size + weight > limit {
                pieces.append(piece)
                piece = Baseline.Object(id: id, entity: entity, created: created, length: length)
                size = 0
            }
            add(&piece)
            size += weight
        }
        for register in registers { take(register.weight) { $0.registers.append(register) } }
        for sum in sums { take(96) { $0.sums.append(sum) } }
        for edge in edges { take(96) { $0.edges.append(edge) } }
        return pieces + [piece]
    }
}

extension Baseline.Register {
    /// At most what it takes, without its name.
    fileprivate var weight: Int { 96 + value.byteCount }
}
