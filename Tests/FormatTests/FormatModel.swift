import EventLog

/// Entities with every type of property, relationship and delete rule, and a compound unique key.
enum FormatModel {
    static let flag = Property("flag", .bool)
    static let number = Property("number", .int)
    static let ratio = Property("ratio", .double)
    static let title = Property("title", .string)
    static let made = Property("made", .date)
    static let token = Property("token", .uuid)
    static let raw = Property("raw", .data)
    static let picture = Property("picture", .blob)
    static let parent = Property("parent", .reference)
    static let owner = Property("owner", .reference)
    static let score = Property("score", .counter)
    static let tags = Property("tags", .edges)
    static let name = Property("name", .string)
    static let realm = Property("realm", .int)

    static func declarations(version: UInt32 = 1) -> [EntityDeclaration] {
        [
            EntityDeclaration(
                name: "Item", version: version,
                fields: [
                    FieldDeclaration(flag, isIndexed: true), FieldDeclaration(number, isOptional: true),
                    FieldDeclaration(ratio, isOptional: true), FieldDeclaration(title, isOptional: true, isIndexed: true),
                    FieldDeclaration(made, isOptional: true), FieldDeclaration(token, isOptional: true),
                    FieldDeclaration(raw, isOptional: true), FieldDeclaration(picture, isOptional: true),
                    FieldDeclaration(score), relation(parent, "Item", "children", .nullify, .register),
                    relation(Property("children", .edges), "Item", "parent", .cascade, .inverse),
                    relation(owner, "User", "items", .nullify, .register),
                    relation(tags, "Tag", "items", .nullify, .edges),
                ]),
            EntityDeclaration(
                name: "Tag", version: version,
                fields: [
                    FieldDeclaration(name), FieldDeclaration(realm), FieldDeclaration(score),
                    FieldDeclaration(title, isOptional: true),
                    relation(Property("items", .edges), "Item", "tags", .nullify, .inverseEdges),
                ], uniqueKey: ["name", "realm"]),
            EntityDeclaration(
                name: "User", version: version,
                fields: [
                    FieldDeclaration(name),
                    relation(Property("items", .edges), "Item", "owner", version < 2 ? .noAction : .nullify, .inverse),
                ], uniqueKey: version < 2 ? [] : ["name"]),
        ]
    }

    private static func relation(
        _ property: Property, _ target: String, _ inverse: String, _ rule: Relationship.DeleteRule,
        _ storage: Relationship.Storage
    ) -> FieldDeclaration {
        FieldDeclaration(
            property, isOptional: storage == .register,
            relationship: Relationship(
                target: target, inverse: inverse, isToMany: storage != .register, deleteRule: rule, storage: storage))
    }
}
