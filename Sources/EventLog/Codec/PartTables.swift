import Storage

/// The three tables of a part as they are read: what the numbers in its groups stand for.
struct PartTables: Sendable {
    /// By number; 0 is the transaction's own origin.
    let origins: [ReplicaID]
    let entities: [String]
    let columns: [Column]

    struct Column: Sendable {
        let entity: Int
        let property: Property
    }

    /// Reads the tables of a part of a transaction of `own`.
    init(from reader: inout ByteReader, own: ReplicaID) throws(StorageError) {
        var origins = [own]
        let originCount = try reader.count(max: reader.remaining, minimumSize: 16)
        origins.reserveCapacity(originCount + 1)
        var listed: Set<ReplicaID> = [own]
        for _ in 0..<originCount {
            let start = reader.position
            let origin = ReplicaID(try reader.digest())
            guard listed.insert(origin).inserted else {
                throw .malformed("an origin listed twice", offset: UInt64(start))
            }
            origins.append(origin)
        }
        self.origins = origins

        var entities: [String] = []
        var names: Set<NameTables.Name> = []
        for _ in 0..<(try reader.count(max: reader.remaining)) {
            let start = reader.position
            let name = try reader.name()
            guard names.insert(NameTables.Name(name)).inserted else {
                throw .malformed("an entity listed twice", offset: UInt64(start))
            }
            entities.append(name)
        }
        self.entities = entities

        var columns: [Column] = []
        var known: Set<NameTables.Column> = []
        for _ in 0..<(try reader.count(max: reader.remaining, minimumSize: 3)) {
            let start = reader.position
            let entity = try reader.number(below: entities.count, "an entity")
            let property = try reader.property()
            guard known.insert(NameTables.Column(entity: entity, property: property)).inserted else {
                throw .malformed("a column listed twice", offset: UInt64(start))
            }
            columns.append(Column(entity: entity, property: property))
        }
        self.columns = columns
    }

    var isEmpty: Bool { origins.count == 1 && entities.isEmpty && columns.isEmpty }
}
