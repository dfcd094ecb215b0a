package import EventLog

extension FoldState {
    /// Adds an object to a many-to-many relationship; no change when it is in it.
    ///
    /// `property`: the field on `id`'s side, whether it keeps the edges or its inverse does.
    /// Throws `deleted`, `notHereYet`, `unknownRelationship`.
    package func planAddEdge(_ id: ObjectID, _ property: Property, _ other: ObjectID) throws(ProjectionError) -> [Change] {
        let ends = try edgeEnds(id, property, other)
        guard visibleEdges(ends).isEmpty else { return [] }
        let (owner, target) = (ends.owner.representative, ends.target.representative)
        return [change(of: owner, ends, target)]
    }

    /// Takes an object out of a many-to-many relationship; no change when it is not in it.
    ///
    /// - Throws: `deleted`, `notHereYet`, `unknownRelationship`.
    package func planRemoveEdge(_ id: ObjectID, _ property: Property, _ other: ObjectID) throws(ProjectionError) -> [Change] {
        let ends = try edgeEnds(id, property, other)
        return visibleEdges(ends).map { change(of: $0.owner, ends, $0.target) }
    }

    private struct EdgeEnds {
        var owner: Group
        var property: Property
        var target: Group
    }

    private func edgeEnds(_ id: ObjectID, _ property: Property, _ other: ObjectID) throws(ProjectionError) -> EdgeEnds {
        let (here, there) = (try group(of: id), try group(of: other))
        let field = schema.field(property, of: here.entity)
        switch field?.relationship?.storage {
        case .edges:
            return EdgeEnds(owner: here, property: property, target: there)
        case .inverseEdges:
            guard let field, let owner = schema.inverse(of: field, in: here.entity)?.property else { fallthrough }
            return EdgeEnds(owner: there, property: owner, target: here)
        default:
            throw ProjectionError(
                .unknownRelationship, "\(property.name) of \(here.entity) is not declared as a many-to-many relationship", [id])
        }
    }

    private func visibleEdges(_ ends: EdgeEnds) -> [(owner: ObjectID, target: ObjectID)] {
        ends.owner.members.flatMap { owner in
            ends.target.members.compactMap { target in
                objects[owner]?.current.hasEdge(ends.property, target) == true ? (owner, target) : nil
            }
        }
    }

    /// The other state of one edge: there if it was not, gone if it was.
    private func change(of owner: ObjectID, _ ends: EdgeEnds, _ target: ObjectID) -> Change {
        let held = objects[owner]?.current.edges[ends.property]?[target] ?? 0
        return .edge(
            owner: owner, entity: ends.owner.entity.text, property: ends.property, target: target,
            ownerLength: length(of: owner), length: held + 1)
    }
}
