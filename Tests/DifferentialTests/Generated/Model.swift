import EventLog

/// An entity of a generated schema.
struct Model {
    struct Column {
        let name: String
        let type: ValueType
        let flavour: Flavour
        /// How many of a hundred objects have null there, and how many never set it.
        let nulls: Int
        let absences: Int
    }

    /// A to-one relationship, kept in a register.
    struct Reference {
        let name: String
        let target: String
        /// The to-many relationship at the other end, if there is one.
        let inverse: String?
    }

    /// A to-many relationship.
    struct Collection {
        let name: String
        let target: String
        let inverse: String
        /// `inverse`, `edges` or `inverseEdges`.
        let storage: Relationship.Storage
    }

    let name: String
    let columns: [Column]
    let references: [Reference]
    let collections: [Collection]

    func column(_ name: String) -> Column? { columns.first { $0.name == name } }
    func reference(_ name: String) -> Reference? { references.first { $0.name == name } }
    func collection(_ name: String) -> Collection? { collections.first { $0.name == name } }

    var declaration: EntityDeclaration {
        var fields = columns.map { FieldDeclaration(Property($0.name, $0.type), isOptional: true) }
        fields += references.map { reference in
            FieldDeclaration(
                Property(reference.name, .reference), isOptional: true,
                relationship: Relationship(
                    target: reference.target, inverse: reference.inverse, isToMany: false, deleteRule: .nullify,
                    storage: .register))
        }
        fields += collections.map { collection in
            FieldDeclaration(
                Property(collection.name, .edges),
                relationship: Relationship(
                    target: collection.target, inverse: collection.inverse, isToMany: true, deleteRule: .nullify,
                    storage: collection.storage))
        }
        return EntityDeclaration(name: name, fields: fields)
    }
}
