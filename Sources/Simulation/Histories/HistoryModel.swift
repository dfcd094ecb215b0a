package import EventLog

/// The entities that random histories are made of: every kind of relationship, delete rule and key, and names with two types.
package enum HistoryModel {
    package static let handle = Property("handle", .string)
    package static let realm = Property("realm", .int)
    package static let score = Property("score", .counter)
    package static let posts = Property("posts", .edges)
    package static let files = Property("files", .edges)
    package static let title = Property("title", .string)
    package static let numericTitle = Property("title", .int)
    package static let body = Property("body", .data)
    package static let author = Property("author", .reference)
    package static let album = Property("album", .reference)
    package static let cover = Property("cover", .reference)
    package static let tags = Property("tags", .edges)
    package static let attachments = Property("attachments", .edges)
    package static let post = Property("post", .reference)
    package static let owner = Property("owner", .reference)
    package static let parent = Property("parent", .reference)
    package static let children = Property("children", .edges)
    package static let name = Property("name", .string)
    package static let kind = Property("kind", .int)
    package static let entities = ["Album", "Attachment", "Post", "Tag", "User"]

    /// What a program of this version declares.
    ///
    /// Version 2 turns a deny into a cascade and makes a key longer.
    package static func declarations(version: UInt32) -> [EntityDeclaration] {
        [
            EntityDeclaration(
                name: "User", version: version,
                fields: [
                    FieldDeclaration(handle), FieldDeclaration(realm, isOptional: true), FieldDeclaration(score),
                    derived(posts, "Post", "author", version < 2 ? .deny : .cascade),
                    derived(files, "Attachment", "owner", .noAction),
                ], uniqueKey: version < 2 ? ["handle"] : ["handle", "realm"]),
            EntityDeclaration(
                name: "Post", version: version,
                fields: [
                    FieldDeclaration(version < 2 ? title : numericTitle), FieldDeclaration(body, isOptional: true),
                    FieldDeclaration(score), reference(author, "User", "posts"), reference(album, "Album", "posts"),
                    reference(cover, "Album", "front"), derived(attachments, "Attachment", "post", .cascade),
                    edges(tags, "Tag", "posts", .edges),
                ]),
            EntityDeclaration(
                name: "Attachment", version: version,
                fields: [
                    FieldDeclaration(body), reference(post, "Post", "attachments"), reference(owner, "User", "files"),
                    reference(parent, "Attachment", "children"), derived(children, "Attachment", "parent", .cascade),
                ]),
            EntityDeclaration(
                name: "Tag", version: version,
                fields: [
                    FieldDeclaration(name), FieldDeclaration(kind), FieldDeclaration(score), FieldDeclaration(body),
                    edges(posts, "Post", "tags", .inverseEdges),
                ], uniqueKey: ["name", "kind"]),
            EntityDeclaration(
                name: "Album", version: version,
                fields: [
                    FieldDeclaration(name), derived(posts, "Post", "album", .nullify),
                    FieldDeclaration(
                        Property("front", .edges),
                        relationship: Relationship(
                            target: "Post", inverse: "cover", isToMany: false, deleteRule: .nullify, storage: .inverse)),
                ]),
        ]
    }

    /// The properties with registers or counters of an entity, with the entity that a reference refers to.
    package static func values(of entity: String) -> [(property: Property, target: String?)] {
        switch entity {
        case "User": [(handle, nil), (realm, nil), (score, nil)]
        case "Post":
            [
                (title, nil), (numericTitle, nil), (body, nil), (score, nil), (author, "User"), (album, "Album"),
                (cover, "Album"),
            ]
        case "Attachment": [(body, nil), (post, "Post"), (owner, "User"), (parent, "Attachment")]
        case "Tag": [(name, nil), (kind, nil), (score, nil), (body, nil)]
        default: [(name, nil)]
        }
    }

    private static func reference(_ property: Property, _ target: String, _ inverse: String) -> FieldDeclaration {
        FieldDeclaration(
            property, isOptional: true,
            relationship: Relationship(
                target: target, inverse: inverse, isToMany: false, deleteRule: .nullify, storage: .register))
    }

    private static func derived(
        _ property: Property, _ target: String, _ inverse: String, _ rule: Relationship.DeleteRule
    ) -> FieldDeclaration {
        FieldDeclaration(
            property,
            relationship: Relationship(target: target, inverse: inverse, isToMany: true, deleteRule: rule, storage: .inverse))
    }

    private static func edges(
        _ property: Property, _ target: String, _ inverse: String, _ storage: Relationship.Storage
    ) -> FieldDeclaration {
        FieldDeclaration(
            property,
            relationship: Relationship(
                target: target, inverse: inverse, isToMany: true, deleteRule: .nullify, storage: storage))
    }
}
