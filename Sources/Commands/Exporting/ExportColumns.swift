import Strandline

/// Which properties are exported, in which order, the object's URI under the name `_id` among them.
struct ExportColumns {
    private static let id = "_id"

    /// The entity's wire name.
    let entity: String
    let names: [String]
    private let shown: ShownObject

    /// - Parameter properties: nil for the URI and all but relationships to many.
    /// - Throws: ``CommandError`` for a property that the entity does not have, or one that is named twice.
    init(
        _ entity: EntityDeclaration, properties: [String]?, in catalog: SchemaCatalog, of snapshot: Snapshot
    ) throws(CommandError) {
        self.entity = entity.name
        shown = try ShownObject(entity, properties: properties?.filter { $0 != Self.id }, in: catalog, of: snapshot)
        names = properties ?? [Self.id] + shown.names
        for (place, name) in names.enumerated() where names[..<place].contains(where: { WireName($0) == WireName(name) }) {
            throw .failed("--properties has \(name) twice; a file has each name once")
        }
    }

    /// The object's values, in the order of the names.
    ///
    /// - Throws: what reading the snapshot throws.
    func values(of row: Row) throws -> [ShownValue] {
        var values = try shown.values(row)[...]
        return names.map { name in
            name == Self.id ? .reference(uri: shown.uri(row)) : values.popFirst() ?? .null
        }
    }
}
