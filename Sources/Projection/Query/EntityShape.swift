package import EventLog

/// What a filter must know of an entity: its properties, their types, and where its relationships lead.
package struct EntityShape: Sendable {
    package struct Field: Hashable, Sendable {
        /// The types under which the name has columns, the declared one first.
        ///
        /// A derived relationship has none.
        package var types: [ValueType]
        package var relationship: Target?

        package init(types: [ValueType], relationship: Target? = nil) {
            self.types = types
            self.relationship = relationship
        }
    }

    /// The other end of a relationship.
    package struct Target: Hashable, Sendable {
        package var entity: String
        package var isToMany: Bool

        package init(entity: String, isToMany: Bool) {
            self.entity = entity
            self.isToMany = isToMany
        }
    }

    /// The wire name.
    package let name: String
    package let fields: [WireName: Field]
    /// Finds the shape of another entity; nil if it is not known.
    package let entity: @Sendable (String) -> EntityShape?

    package init(
        name: String, fields: [WireName: Field], entity: @escaping @Sendable (String) -> EntityShape? = { _ in nil }
    ) {
        self.name = name
        self.fields = fields
        self.entity = entity
    }

    /// The shape that a declaration gives.
    ///
    /// A name declared twice with different types keeps the first as the declared one.
    package init(_ declaration: EntityDeclaration, entity: @escaping @Sendable (String) -> EntityShape? = { _ in nil }) {
        var fields: [WireName: Field] = [:]
        for field in declaration.fields {
            let target = field.relationship.map { Target(entity: $0.target, isToMany: $0.isToMany) }
            let isColumn = field.property.type != .edges && (field.relationship?.storage ?? .register) == .register
            let name = WireName(field.property.name)
            var known = fields[name] ?? Field(types: [])
            if isColumn { known.types.append(field.property.type) }
            known.relationship = known.relationship ?? target
            fields[name] = known
        }
        self.init(name: declaration.name, fields: fields, entity: entity)
    }
}

extension EntityShape {
    /// The sentence for a name that the entity does not have: the nearest name with its type, or all names.
    func unknown(_ name: String) -> String {
        let sentence = "\(self.name) has no property '\(name)'"
        if name == "_id" {
            return sentence + "; the object itself is SELF: SELF = 'strandline://…', or SELF IN {'strandline://…'} of several"
        }
        let names = fields.keys.sorted().map(\.text)
        if let nearest = NearestName.of(name, among: names) {
            let type = fields[WireName(nearest)].map { ", \(Self.described($0))" } ?? ""
            return sentence + "; did you mean '\(nearest)'\(type)?"
        }
        if names.isEmpty { return sentence + "; it has none" }
        return sentence + "; it has " + names.prefix(12).joined(separator: ", ") + (names.count > 12 ? ", …" : "")
    }

    private static func described(_ field: Field) -> String {
        if let target = field.relationship { return "to-\(target.isToMany ? "many" : "one") \(target.entity)" }
        return field.types.map { "\($0)" }.joined(separator: " or ")
    }
}
