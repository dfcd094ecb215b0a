import EventLog
import Projection

/// What some transactions changed, by entity: as much as decides whether a request may give something else now.
struct ChangedNames: Sendable {
    /// Entities of which any property was set, or objects came or went.
    private(set) var entities: Set<WireName> = []
    /// Entities of which objects came or went, or refer to others than before.
    private(set) var linked: Set<WireName> = []
    /// Something changed that concerns everybody: the schema, what this version cannot read, or what was not looked at.
    private(set) var isGeneral = false

    var isEmpty: Bool { entities.isEmpty && !isGeneral }

    /// Everything may have changed.
    static var everything: ChangedNames {
        var names = ChangedNames()
        names.isGeneral = true
        return names
    }

    mutating func add(_ change: Change) {
        switch change {
        case .insert(_, let entity, _), .delete(_, let entity, _, _), .restore(_, let entity, _, _),
            .edge(_, let entity, _, _, _, _):
            note(entity, isLinked: true)
        case .update(_, let entity, _, let assignments):
            note(entity, isLinked: assignments.contains { $0.property.type == .reference })
        case .increment(_, let entity, _, _, _, _): note(entity, isLinked: false)
        case .rename, .undo: break
        case .schema, .unknown: isGeneral = true
        }
    }

    private mutating func note(_ entity: String, isLinked: Bool) {
        let name = WireName(entity)
        entities.insert(name)
        if isLinked { linked.insert(name) }
    }
}
