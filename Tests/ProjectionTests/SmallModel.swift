import EventLog
import Projection

/// A schema for hand-written tests: boxes own items, which are tagged, and tags are one by their name.
enum SmallModel {
    static let name = Property("name", .string)
    static let count = Property("count", .counter)
    static let box = Property("box", .reference)
    static let tags = Property("tags", .edges)

    /// `rule`: what becomes of items when their box is deleted.
    static func schema(_ rule: Relationship.DeleteRule = .cascade) -> [Change] {
        [
            .schema(
                EntityDeclaration(
                    name: "Box",
                    fields: [
                        FieldDeclaration(name),
                        FieldDeclaration(
                            Property("items", .edges),
                            relationship: Relationship(
                                target: "Item", inverse: "box", isToMany: true, deleteRule: rule, storage: .inverse)),
                        FieldDeclaration(
                            box,
                            relationship: Relationship(
                                target: "Box", inverse: "inner", isToMany: false, deleteRule: .nullify, storage: .register)),
                        FieldDeclaration(
                            Property("inner", .edges),
                            relationship: Relationship(
                                target: "Box", inverse: "box", isToMany: true, deleteRule: .cascade, storage: .inverse)),
                    ])),
            .schema(
                EntityDeclaration(
                    name: "Item",
                    fields: [
                        FieldDeclaration(name), FieldDeclaration(count),
                        FieldDeclaration(
                            box,
                            relationship: Relationship(
                                target: "Box", inverse: "items", isToMany: false, deleteRule: .nullify, storage: .register)),
                        FieldDeclaration(
                            tags,
                            relationship: Relationship(
                                target: "Tag", inverse: "items", isToMany: true, deleteRule: .nullify, storage: .edges)),
                    ])),
            .schema(
                EntityDeclaration(
                    name: "Tag",
                    fields: [
                        FieldDeclaration(name), FieldDeclaration(count),
                        FieldDeclaration(
                            Property("items", .edges),
                            relationship: Relationship(
                                target: "Item", inverse: "tags", isToMany: true, deleteRule: .nullify, storage: .inverseEdges)),
                    ], uniqueKey: ["name"])),
        ]
    }

    static func insert(_ id: ObjectID, _ entity: String, _ values: PropertyValue...) -> Change {
        .insert(object: id, entity: entity, values: values)
    }

    static func named(_ text: String) -> PropertyValue { PropertyValue(name, .string(text)) }
    static func inside(_ id: ObjectID) -> PropertyValue { PropertyValue(box, .reference(id)) }

    static func rename(_ id: ObjectID, _ entity: String, _ text: String, length: UInt32 = 1) -> Change {
        .update(
            object: id, entity: entity, length: length,
            assignments: [Assignment(name, new: .string(text), old: nil, overwrote: nil)])
    }

    static func delete(_ id: ObjectID, _ entity: String, length: UInt32 = 2) -> Change {
        .delete(object: id, entity: entity, length: length, seen: [])
    }

    static func restore(_ id: ObjectID, _ entity: String, length: UInt32 = 3, _ values: PropertyValue...) -> Change {
        .restore(object: id, entity: entity, length: length, values: values)
    }

    static func tag(_ item: ObjectID, _ tag: ObjectID, ownerLength: UInt32 = 1, length: UInt32 = 1) -> Change {
        .edge(owner: item, entity: "Item", property: tags, target: tag, ownerLength: ownerLength, length: length)
    }

    static func add(_ amount: Int64, to id: ObjectID, _ entity: String = "Item", length: UInt32 = 1) -> Change {
        .increment(object: id, entity: entity, length: length, property: count, by: amount, seen: 0)
    }
}

extension Scribe {
    /// A first transaction with the schema.
    @discardableResult
    mutating func declare(_ rule: Relationship.DeleteRule = .cascade, at time: UInt64 = 1) -> Transaction {
        let schema = SmallModel.schema(rule)
        return write(at: time, schema[0], schema[1], schema[2])
    }
}
