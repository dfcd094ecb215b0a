import Strandline

/// An object named by its URI.
struct ObjectArgument: ArgumentValue {
    static let expectation = "an object's URI (strandline://REPLICA/ENTITY/SEQUENCE.INDEX)"

    let id: ObjectID
    let entity: String

    init?(argument: String) {
        guard let (id, entity) = ObjectID.parse(uri: argument) else { return nil }
        self.id = id
        self.entity = entity
    }

    var uri: String { id.uri(entity: entity) }

    /// The row of the object.
    ///
    /// - Throws: ``CommandError`` that says whether it was deleted, has not arrived, or is of another entity; what reading throws.
    func row(in snapshot: Snapshot, covered vector: VersionVector) throws -> Row {
        guard let row = try snapshot.row(id) else {
            let why = vector.covers(id) ? "it was deleted, or never was" : "its creation has not arrived in this store"
            throw CommandError.failed("there is no object \(uri): \(why)")
        }
        guard WireName(row.entity) == WireName(entity) else {
            throw CommandError.failed("\(id.uri(entity: row.entity)) is of the entity \(row.entity), not \(entity)")
        }
        return row
    }
}
