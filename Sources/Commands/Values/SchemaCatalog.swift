import Strandline

/// The entities of a store, as commands look names up in them.
struct SchemaCatalog: Sendable {
    /// Ascending by name.
    let entities: [EntityDeclaration]

    init(_ entities: [EntityDeclaration]) { self.entities = entities }

    subscript(name: String) -> EntityDeclaration? { entities.first { WireName($0.name) == WireName(name) } }

    /// - Throws: ``CommandError`` with the nearest name, or all of them.
    func entity(_ name: String) throws(CommandError) -> EntityDeclaration {
        if let entity = self[name] { return entity }
        let names = entities.map(\.name)
        let nearest = NearestName.of(name, among: names).map { "; did you mean \($0)?" }
        let known = names.isEmpty ? "; it has none yet" : "; it has \(names.joined(separator: ", "))"
        throw .failed("the store has no entity \(name)\(nearest ?? known)")
    }

    /// The fields of a name: more than one when it was declared with several types.
    ///
    /// - Throws: ``CommandError`` with the nearest name, or all of them.
    func fields(_ name: String, of entity: EntityDeclaration) throws(CommandError) -> [FieldDeclaration] {
        let fields = entity.fields.filter { WireName($0.property.name) == WireName(name) }
        guard fields.isEmpty else { return fields }
        let names = Set(entity.fields.map(\.property.name)).sorted()
        let nearest = NearestName.of(name, among: names).map { "; did you mean \($0)?" }
        let known = names.isEmpty ? "; it has none" : "; it has \(names.joined(separator: ", "))"
        throw .failed("\(entity.name) has no property \(name)\(nearest ?? known)")
    }

    /// A value of a property as it is shown.
    func shown(_ value: Value, of property: Property, in entity: String) -> ShownValue {
        guard case .reference(let object) = value else { return .value(value) }
        return .reference(uri: uri(object, through: property, of: entity))
    }

    /// What an object is called that a property refers to.
    func uri(_ object: ObjectID, through property: Property, of entity: String) -> String {
        let field = self[entity]?.fields.first { $0.property == property }
        // A reference that no schema explains leads to an object of an entity that nobody knows.
        return field?.relationship.map { object.uri(entity: $0.target) } ?? object.description
    }
}
