/// Decides where each relationship is kept, so that every program that declares the same entities decides alike.
///
/// | Relationship | Kept |
/// |---|---|
/// | to-one, whose inverse is to-many or not declared | in its own register; the inverse is derived |
/// | one-to-one | in the register of the end that does not cascade, the child; else of the end with the smaller name |
/// | to-many without inverse | in edges of its own |
/// | many-to-many | in edges of the end with the smaller name |
///
/// The smaller name is the one whose (entity, field) wire names come first by their UTF-8 bytes.
struct RelationshipResolver {
    /// A field, by the place of its entity and its own.
    private struct End: Hashable {
        let entity: Int
        let field: Int
    }

    /// What was found wrong by ``declarations()``.
    private(set) var problems: [SchemaProblem] = []

    private let entities: [EntityDescription]
    private var inverses: [End: End] = [:]

    init(_ entities: [EntityDescription]) { self.entities = entities }

    /// Resolves all relationships and gives what to log of each entity.
    mutating func declarations() -> [EntityDeclaration] {
        for end in ends { pair(end) }
        return entities.indices.map { place in
            let entity = entities[place]
            let fields = entity.fields.indices.map { declaration(End(entity: place, field: $0)) }
            let key = entity.uniqueKeys.first ?? []
            return EntityDeclaration(
                name: entity.name, version: entity.version, fields: fields,
                uniqueKey: key.compactMap { entity.field(at: $0)?.name })
        }
    }

    /// All relationship fields, in the order of declaration.
    private var ends: [End] {
        entities.indices.flatMap { entity in
            entities[entity].fields.indices.filter { entities[entity].fields[$0].relation != nil }
                .map { End(entity: entity, field: $0) }
        }
    }

    private func field(_ end: End) -> FieldDescription { entities[end.entity].fields[end.field] }

    private func name(_ end: End) -> String { "\(entities[end.entity].name).\(field(end).name)" }

    private mutating func report(_ end: End, _ sentence: String) {
        problems.append(SchemaProblem(entities[end.entity].name, field(end).name, sentence))
    }

    /// Finds the inverse that a field declares, and notes it for both ends.
    private mutating func pair(_ end: End) {
        guard let relation = field(end).relation else { return }
        let target = relation.targetSchema()
        guard let entity = entities.firstIndex(where: { $0.type == relation.target }) else {
            report(end, "refers to \(target.typeName), which the store is not opened with; add \(target.typeName).self")
            return
        }
        guard let keyPath = relation.inverse else { return }
        guard let place = entities[entity].fields.firstIndex(where: { $0.keyPath == keyPath }) else {
            report(end, "has the inverse \(keyPath), which has no line in the schema of \(target.name); add a Field for it")
            return
        }
        let inverse = End(entity: entity, field: place)
        if inverse == end {
            report(end, "is its own inverse; use two properties, one for each direction")
            return
        }
        if let declared = field(inverse).relation?.inverse, declared != field(end).keyPath {
            report(end, "has the inverse \(name(inverse)), whose own inverse is \(declared); make the two name each other")
            return
        }
        if let other = inverses[inverse], other != end {
            report(
                end, "has the inverse \(name(inverse)), which is the inverse of \(name(other)) already; a field has one inverse"
            )
            return
        }
        inverses[end] = inverse
        inverses[inverse] = end
    }

    private func declaration(_ end: End) -> FieldDeclaration {
        let field = field(end)
        let property = Property(field.name, field.access?.type ?? .data)
        guard let relation = field.relation else {
            return FieldDeclaration(
                property, isOptional: field.access?.isOptional ?? false, isIndexed: field.isIndexed || field.isUnique)
        }
        let inverse = inverses[end]
        return FieldDeclaration(
            property, isOptional: field.access?.isOptional ?? false, isIndexed: false,
            relationship: Relationship(
                target: relation.targetSchema().name, inverse: inverse.map { self.field($0).name },
                isToMany: relation.isToMany, deleteRule: relation.deleteRule,
                storage: storage(end, relation, inverse)))
    }

    private func storage(_ end: End, _ relation: RelationDescription, _ inverse: End?) -> Relationship.Storage {
        guard let inverse, let other = field(inverse).relation else { return relation.isToMany ? .edges : .register }
        switch (relation.isToMany, other.isToMany) {
        case (false, true): return .register
        case (true, false): return .inverse
        case (true, true): return precedes(end, inverse) ? .edges : .inverseEdges
        case (false, false):
            let cascades = relation.deleteRule == .cascade
            if cascades != (other.deleteRule == .cascade) { return cascades ? .inverse : .register }
            return precedes(end, inverse) ? .register : .inverse
        }
    }

    private func precedes(_ a: End, _ b: End) -> Bool {
        let (entityA, entityB) = (entities[a.entity].name.utf8, entities[b.entity].name.utf8)
        if !entityA.elementsEqual(entityB) { return entityA.lexicographicallyPrecedes(entityB) }
        return field(a).name.utf8.lexicographicallyPrecedes(field(b).name.utf8)
    }
}
