import Storage

// Invariants
// * Entities and columns have numbers from 0 in the order of first use, origins as in `OriginTable`; no name has two numbers.
// * A copy is a mark: assigning it back forgets the names that came in between.

/// The three tables of a part while it is being written: what the numbers in its groups stand for.
struct NameTables {
    var origins: OriginTable
    private var entities: [Name: Int] = [:]
    private var columns: [Column: Int] = [:]
    private var entityBytes = ByteWriter()
    private var columnBytes = ByteWriter()

    init(own: ReplicaID?) { origins = OriginTable(own: own) }

    mutating func entity(_ name: String) -> Int {
        if let number = entities[Name(name)] { return number }
        let number = entities.count
        entities[Name(name)] = number
        entityBytes.string(name)
        return number
    }

    mutating func column(_ property: Property, of entity: Int) -> Int {
        let key = Column(entity: entity, property: property)
        if let number = columns[key] { return number }
        let number = columns.count
        columns[key] = number
        columnBytes.count(entity)
        columnBytes.string(property.name)
        columnBytes.u8(property.type.rawValue)
        return number
    }

    /// At most this many bytes are written.
    var byteCount: Int { 16 * origins.ids.count + entityBytes.count + columnBytes.count + 3 * 5 }

    func write(to writer: inout ByteWriter) {
        writer.count(origins.ids.count - 1)
        for id in origins.ids.dropFirst() { writer.digest(id.bits) }
        writer.count(entities.count)
        writer.raw(entityBytes.bytes)
        writer.count(columns.count)
        writer.raw(columnBytes.bytes)
    }

    struct Column: Hashable {
        let entity: Int
        let property: Property
    }

    /// A string compared by its bytes.
    struct Name: Hashable {
        let text: String
        init(_ text: String) { self.text = text }
        static func == (a: Name, b: Name) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }
    }
}
