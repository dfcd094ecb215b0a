package import EventLog

// Invariants
// * `living`, `keys` and `referrers` hold exactly the terms of living objects; hiding is looked at when they are read.
// * `edgeOwners` may name edges that are gone; it is checked when it is read.

/// Finds objects by entity, unique key and what they refer to.
struct FoldIndex: Sendable {
    /// What a living object is found by.
    struct Terms: Hashable, Sendable {
        var entity: WireName?
        var key: UniqueKey?
        var references: [Property: ObjectID] = [:]
    }

    private(set) var living: [WireName: Set<ObjectID>] = [:]
    private(set) var keys: [UniqueKey: Set<ObjectID>] = [:]
    private(set) var referrers: [ObjectID: Set<End>] = [:]
    private(set) var edgeOwners: [ObjectID: Set<End>] = [:]

    mutating func replace(_ id: ObjectID, _ old: Terms?, by new: Terms?) {
        guard old != new else { return }
        if let old { remove(id, old) }
        if let new { add(id, new) }
    }

    mutating func add(_ id: ObjectID, _ terms: Terms) {
        if let entity = terms.entity { living[entity, default: []].insert(id) }
        if let key = terms.key { keys[key, default: []].insert(id) }
        for (property, target) in terms.references {
            referrers[target, default: []].insert(End(object: id, property: property))
        }
    }

    mutating func remove(_ id: ObjectID, _ terms: Terms) {
        if let entity = terms.entity { living[entity]?.remove(id) }
        if let key = terms.key {
            keys[key]?.remove(id)
            if keys[key]?.isEmpty == true { keys[key] = nil }
        }
        for (property, target) in terms.references {
            referrers[target]?.remove(End(object: id, property: property))
            if referrers[target]?.isEmpty == true { referrers[target] = nil }
        }
    }

    mutating func addEdge(from owner: ObjectID, _ property: Property, to target: ObjectID) {
        edgeOwners[target, default: []].insert(End(object: owner, property: property))
    }
}

/// One end of a relationship: an object and the property that refers from there.
package struct End: Hashable, Sendable, Comparable {
    package var object: ObjectID
    package var property: Property

    package init(object: ObjectID, property: Property) {
        self.object = object
        self.property = property
    }

    package static func < (a: End, b: End) -> Bool {
        a.object != b.object ? a.object < b.object : a.property < b.property
    }
}

/// What objects of an entity with a unique key are one by.
///
/// Types are part of it, and equality is by stored bytes.
package struct UniqueKey: Hashable, Sendable {
    package var entity: WireName
    package var values: [PropertyValue]
}
