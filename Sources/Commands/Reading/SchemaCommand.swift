import Interchange
import Strandline

/// Prints the entities that a store knows.
struct SchemaCommand: Command {
    let name = "schema"
    let summary = "print the entities and properties that a store knows"
    let usage = """
        usage: strandline schema STORE [--json]

        Prints the entities with their properties, types and relationships, as the store's log declares them.

          --json   one array of entities
        """

    func run(_ arguments: inout ArgumentReader, _ terminal: Terminal) async throws {
        let json = try arguments.flag("--json")
        let path = try arguments.positional("STORE")
        try arguments.finish()
        let entities = try await StoreAccess.reading(path, terminal) { store in try store.schema() }
        if json { return try terminal.jsonArray(entities.lazy.map(Self.json)) }
        for entity in entities {
            let key = entity.uniqueKey.isEmpty ? "" : ", unique by \(entity.uniqueKey.joined(separator: ", "))"
            terminal.data("\(entity.name)\(key)")
            for field in entity.fields { terminal.data("  " + Self.text(field)) }
        }
    }

    private static func text(_ field: FieldDeclaration) -> String {
        let name = field.property.name
        guard let relationship = field.relationship else {
            return "\(name): \(field.property.type)\(field.isOptional ? "?" : "")\(field.isIndexed ? ", indexed" : "")"
        }
        let inverse = relationship.inverse.map { ", inverse \($0)" } ?? ""
        let count = relationship.isToMany ? "many" : "one"
        return "\(name): to \(count) \(relationship.target)\(inverse), on delete \(relationship.deleteRule)"
    }

    static func json(_ entity: EntityDeclaration) -> JSONValue {
        .object([
            JSONMember("entity", .string(entity.name)),
            JSONMember("version", .integer(Int64(entity.version))),
            JSONMember("uniqueKey", .array(entity.uniqueKey.map { .string($0) })),
            JSONMember("fields", .array(entity.fields.map(json))),
        ])
    }

    private static func json(_ field: FieldDeclaration) -> JSONValue {
        var members = [
            JSONMember("name", .string(field.property.name)),
            JSONMember("type", .string("\(field.property.type)")),
            JSONMember("optional", .bool(field.isOptional)),
            JSONMember("indexed", .bool(field.isIndexed)),
        ]
        if let relationship = field.relationship {
            members += [
                JSONMember("target", .string(relationship.target)),
                JSONMember("inverse", relationship.inverse.map { .string($0) } ?? .null),
                JSONMember("toMany", .bool(relationship.isToMany)),
                JSONMember("onDelete", .string("\(relationship.deleteRule)")),
            ]
        }
        return .object(members)
    }
}
