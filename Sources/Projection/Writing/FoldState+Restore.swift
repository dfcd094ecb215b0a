package import EventLog

extension FoldState {
    /// Brings a deleted object back with a complete row.
    ///
    /// `values`: the row; usually what the delete saw.
    /// `edges`: the edges that start at the object.
    /// Throws `notDeleted`, `notHereYet`.
    package func planRestore(
        _ id: ObjectID, entity: WireName, _ values: [PropertyValue], edges: [(property: Property, target: ObjectID)] = []
    ) throws(ProjectionError) -> [Change] {
        let length = length(of: id)
        guard length > 0 else {
            throw ProjectionError(.notHereYet, "\(id) has not arrived; sync with a replica that has it", [id])
        }
        guard length.isMultiple(of: 2) else {
            let hint = isHidden(id) ? "it is hidden because its owner was deleted; restore that" : "there is nothing to restore"
            throw ProjectionError(.notDeleted, "\(id) was not deleted: \(hint)", [id])
        }
        let new = length + 1
        var changes: [Change] = [.restore(object: id, entity: entity.text, length: new, values: values)]
        for edge in edges {
            // Another replica's restore may have arrived in part, with this edge.
            let waiting = objects[id]?.epoch(new)?.edges[edge.property]?[edge.target] ?? 0
            guard waiting.isMultiple(of: 2) else { continue }
            changes.append(
                .edge(
                    owner: id, entity: entity.text, property: edge.property, target: edge.target, ownerLength: new,
                    length: waiting + 1))
        }
        return changes
    }
}
