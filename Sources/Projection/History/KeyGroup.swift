package import EventLog

/// Objects that are one by their unique key, with what they count under.
package struct KeyGroup: Sendable {
    /// The one that stands for all.
    package let representative: ObjectID
    /// Ascending, with their causal lengths.
    package let members: [(id: ObjectID, length: UInt32)]
}

extension FoldState {
    /// The objects that became one with others by their key, ascending by the least member.
    package func keyGroups() -> [KeyGroup] {
        var candidates: [ObjectID] = []
        if let irregular {
            candidates = Array(irregular.ids)
        } else {
            objects.visit(of: Set(schema.names)) { id, _ in candidates.append(id) }
        }
        return candidates.sorted().compactMap { id in
            let members = members(of: id)
            guard members.count > 1, members[0] == id, let representative = representative(among: members) else { return nil }
            return KeyGroup(representative: representative, members: members.map { ($0, length(of: $0)) })
        }
    }
}
