import Interchange
import Strandline

/// Which properties of the objects of an entity are shown, and how.
struct ShownObject {
    /// A name, with its columns: more than one when it was declared with several types.
    private struct Column {
        let name: String
        let fields: [FieldDeclaration]
    }

    private let catalog: SchemaCatalog
    private let snapshot: Snapshot
    private let entity: EntityDeclaration
    private let columns: [Column]

    /// - Parameters:
    ///   - properties: in the order in which they are shown; nil for all but relationships to many.
    ///   - toMany: shows relationships to many, too, when `properties` is nil.
    /// - Throws: ``CommandError`` for a property that the entity does not have.
    init(
        _ entity: EntityDeclaration, properties: [String]?, toMany: Bool = false, in catalog: SchemaCatalog,
        of snapshot: Snapshot
    ) throws(CommandError) {
        self.catalog = catalog
        self.snapshot = snapshot
        self.entity = entity
        if let properties {
            columns = try properties.map { (name) throws(CommandError) in
                Column(name: name, fields: try catalog.fields(name, of: entity))
            }
        } else {
            let fields = entity.fields.filter { toMany || $0.relationship?.isToMany != true }
            var columns: [Column] = []
            for field in fields {
                let name = WireName(field.property.name)
                guard !columns.contains(where: { WireName($0.name) == name }) else { continue }
                columns.append(Column(name: name.text, fields: fields.filter { WireName($0.property.name) == name }))
            }
            self.columns = columns
        }
    }

    /// The names shown, without the id.
    var names: [String] { columns.map(\.name) }

    func uri(_ row: Row) -> String { row.id.uri(entity: row.entity) }

    /// - Throws: what reading the snapshot throws, as do the others that are given a row.
    func values(_ row: Row) throws -> [ShownValue] { try columns.map { try value(row, $0) } }

    /// The object with its id as `_id` and its properties as keys.
    func json(_ row: Row) throws -> JSONValue {
        var members = [JSONMember("_id", .string(uri(row)))]
        for column in columns { members.append(JSONMember(column.name, try value(row, column).json)) }
        return .object(members)
    }

    /// Whether objects of the entity have a value there themselves.
    private static func isHeld(_ field: FieldDeclaration) -> Bool {
        field.property.type != .edges && (field.relationship?.storage ?? .register) == .register
    }

    /// The first of the columns that has a value.
    private func value(_ row: Row, _ column: Column) throws -> ShownValue {
        for field in column.fields {
            let value = try value(row, field)
            if value != .null { return value }
        }
        return .null
    }

    private func value(_ row: Row, _ field: FieldDeclaration) throws -> ShownValue {
        guard Self.isHeld(field) else {
            let target = field.relationship?.target ?? ""
            let uris = try snapshot.related(to: row.id, by: field.property.name).map { $0.uri(entity: target) }
            if field.relationship?.isToMany ?? true { return .references(uris: uris) }
            return uris.first.map { .reference(uri: $0) } ?? .null
        }
        switch row[field.property] {
        case .value(let value): return .value(value)
        case .reference(.object(let object)), .reference(.dangling(let object)), .reference(.notHereYet(let object)):
            return .reference(uri: catalog.uri(object, through: field.property, of: entity.name))
        case .reference(.null), nil: return .null
        }
    }
}
