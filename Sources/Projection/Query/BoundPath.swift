package import EventLog

/// A property path whose every step is known to exist.
package struct BoundPath: Hashable, Sendable {
    /// A step to other objects.
    package struct Hop: Hashable, Sendable {
        package let name: String
        package let isToMany: Bool
    }

    /// What is taken of the objects that the hops lead to.
    package enum End: Hashable, Sendable {
        case column(Property)
        /// Their ids.
        case object
        /// How many they are.
        case count
    }

    package let hops: [Hop]
    package let end: End

    /// Whether it gives a value per object instead of one.
    package var isToMany: Bool { end != .count && hops.contains(where: \.isToMany) }

    /// The column of the object itself that it names; nil if it leads elsewhere.
    package var ownColumn: Property? {
        if hops.isEmpty, case .column(let property) = end { property } else { nil }
    }

    /// The type of its values.
    var type: ValueType {
        switch end {
        case .column(let property): property.type
        case .object: .reference
        case .count: .int
        }
    }
}

extension BoundPath {
    /// What a path may mean in an entity: one path per column of the last name, the declared one first.
    ///
    /// - Throws: ``PredicateError`` `unknownProperty`, or `typeMismatch` for a step through what is no relationship.
    package static func candidates(of path: PropertyPath, in shape: EntityShape) throws(PredicateError) -> [BoundPath] {
        var hops: [Hop] = []
        var shape = shape
        for (index, name) in path.names.enumerated() {
            guard let field = shape.fields[WireName(name)] else {
                throw PredicateError(.unknownProperty, shape.unknown(name), path: path)
            }
            let isLast = index == path.names.count - 1
            if isLast, !path.countsObjects, let ends = columns(name, field) {
                return ends.map { BoundPath(hops: hops, end: .column($0)) }
            }
            guard let target = field.relationship else {
                let type = field.types.first.map { "\($0)" } ?? "unknown"
                let reason = isLast ? "@count needs a to-many relationship" : "nothing can follow it after a dot"
                throw PredicateError(
                    .typeMismatch, "\(shape.name).\(name) is of type \(type), not a relationship: \(reason)", path: path)
            }
            if isLast, path.countsObjects, !target.isToMany {
                throw PredicateError(
                    .quantifier, "\(shape.name).\(name) leads to at most one object: @count needs a to-many relationship",
                    path: path)
            }
            hops.append(Hop(name: name, isToMany: target.isToMany))
            if isLast { break }
            guard let next = shape.entity(target.entity) else {
                throw PredicateError(
                    .unknownProperty, "\(shape.name).\(name) leads to \(target.entity), of which nothing is known here",
                    path: path)
            }
            shape = next
        }
        if path.countsObjects, hops.isEmpty {
            throw PredicateError(.quantifier, "SELF is one object: @count needs a to-many relationship", path: path)
        }
        return [BoundPath(hops: hops, end: path.countsObjects ? .count : .object)]
    }

    /// The columns at which a path may end; nil for a relationship that has no register here.
    private static func columns(_ name: String, _ field: EntityShape.Field) -> [Property]? {
        if let target = field.relationship, target.isToMany || !field.types.contains(.reference) { return nil }
        return field.types.filter { $0 != .edges }.map { Property(name, $0) }
    }
}
