import Storage

// Invariants
// * Entities and columns have numbers from 0 in the order of first use, origins as in `OriginTable`; no name has two numbers.
// * A copy is a mark: assigning it back forgets the names that came in between.

/// The three tables of a part while it is being written: what the numbers in its groups stand for.
struct NameTables {
    var origins: OriginTable
    private var entities = Numbers<Name>()
    private var columns = Numbers<Column>()
    private var entityBytes = ByteWriter()
    private var columnBytes = ByteWriter()

    init(own: ReplicaID?) { origins = OriginTable(own: own) }

    mutating func entity(_ name: String) -> Int {
        let (number, isNew) = entities.number(of: Name(name))
        if isNew { entityBytes.string(name) }
        return number
    }

    mutating func column(_ property: Property, of entity: Int) -> Int {
        let (number, isNew) = columns.number(of: Column(entity: entity, property: property))
        if isNew {
            columnBytes.count(entity)
            columnBytes.string(property.name)
            columnBytes.u8(property.type.rawValue)
        }
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
        static func == (a: Name, b: Name) -> Bool { a.text.hasBytes(of: b.text) }
    }
}

extension NameTables {
    /// Numbers from 0 in the order of first use.
    ///
    /// Small transactions have few names: up to some, looking at each is quicker than making a table.
    struct Numbers<Key: Hashable> {
        private static var mostListed: Int { 16 }

        private var keys: [Key] = []
        private var table: [Key: Int] = [:]

        var count: Int { keys.count }

        mutating func number(of key: Key) -> (number: Int, isNew: Bool) {
            let known = table.isEmpty ? keys.firstIndex(of: key) : table[key]
            if let known { return (known, false) }
            let number = keys.count
            keys.append(key)
            if !table.isEmpty {
                table[key] = number
            } else if keys.count > Self.mostListed {
                for (number, key) in keys.enumerated() { table[key] = number }
            }
            return (number, true)
        }
    }
}
