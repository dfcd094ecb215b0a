/// The entities of a store, with their relationships resolved: which end of each is kept, and where.
package struct SchemaSet: Sendable {
    /// What to log, in the order of the entities given.
    ///
    /// Of use only when ``problems`` has nothing fatal.
    package let declarations: [EntityDeclaration]
    /// What is wrong, entity by entity, then relationship by relationship.
    package let problems: [SchemaProblem]

    private let entities: [EntityDescription]
    /// By entity, as in ``declarations``; nil where a property is not a stored one.
    private let columns: [[TypedColumn]?]

    package init<each Root: Entity>(_ types: repeat (each Root).Type) {
        var entities: [EntityDescription] = []
        for type in repeat each types { entities.append(Self.description(of: type)) }
        var resolver = RelationshipResolver(entities)
        let declarations = resolver.declarations()
        self.entities = entities
        self.declarations = declarations
        columns = zip(declarations, entities).map { declaration, entity in
            var columns: [TypedColumn] = []
            for (declared, field) in zip(declaration.fields, entity.fields) {
                guard let access = field.access else { return nil }
                columns.append(TypedColumn(entity: declaration.name, declared, access, keyPath: field.keyPath))
            }
            return columns
        }
        problems = Self.collisions(entities) + entities.flatMap { $0.problems() } + resolver.problems
    }

    /// The entity's declaration and columns; nil when it is not of the set, or has a property that is not stored.
    func entity(_ type: ObjectIdentifier) -> (declaration: EntityDeclaration, columns: [TypedColumn])? {
        guard let place = entities.firstIndex(where: { $0.type == type }), let columns = columns[place] else { return nil }
        return (declarations[place], columns)
    }

    private static func description<Root: Entity>(of _: Root.Type) -> EntityDescription { Root.schema.description }

    private static func collisions(_ entities: [EntityDescription]) -> [SchemaProblem] {
        entities.indices.compactMap { place in
            let entity = entities[place]
            guard let other = entities[..<place].first(where: { $0.name.utf8.elementsEqual(entity.name.utf8) }) else {
                return nil
            }
            let reason =
                other.type == entity.type
                ? "is given twice; give each entity once"
                : "is the wire name of both \(other.typeName) and \(entity.typeName); give one of them another"
            return SchemaProblem(entity.name, nil, reason)
        }
    }
}
